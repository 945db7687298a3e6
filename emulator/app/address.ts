// The address of a server: reachability.

/** Reports whether an address means all network interfaces. */
export function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::' || host === '';
}

/** Reports whether an address is reachable only from this machine. */
export function isLoopback(host: string): boolean {
  return /^(?:127\.|::1$|localhost$)/.test(host);
}
