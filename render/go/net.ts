// Parses IP addresses.
// Mirrors: Go 1.23, net/ip.go, `ParseIP` and `IP.To4`.

/** Returns an address as 4 bytes, or 16 for IPv6 (an IPv4-mapped address is 4 too); undefined for invalid texts. */
export function parseIp(text: string): Uint8Array | undefined {
  const bytes = text.includes(':') ? parseIpv6(text) : parseIpv4(text);
  if (bytes === undefined) return undefined;
  const isMapped = bytes.length === 16 && bytes.every((byte, i) => i >= 12 || byte === (i < 10 ? 0 : 0xff));
  return Uint8Array.from(isMapped ? bytes.slice(12) : bytes);
}

function parseIpv4(text: string): number[] | undefined {
  const fields = text.split('.');
  const isValid =
    fields.length === 4 && fields.every((field) => /^(0|[1-9][0-9]{0,2})$/.test(field) && Number(field) < 256);
  return isValid ? fields.map(Number) : undefined;
}

// `::` replaces one or more groups of zeros once; the last 32 bits can be written as IPv4.
function parseIpv6(text: string): number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map((half, i) => parseGroups(half, i === halves.length - 1));
  if (head === undefined || (halves.length === 2 && tail === undefined)) return undefined;
  const zeros = 16 - head.length - (tail?.length ?? 0);
  if (tail === undefined) return zeros === 0 ? head : undefined;
  return zeros >= 2 ? [...head, ...Array<number>(zeros).fill(0), ...tail] : undefined;
}

function parseGroups(text: string, isLast: boolean): number[] | undefined {
  if (text === '') return [];
  const bytes: number[] = [];
  const groups = text.split(':');
  for (const [i, group] of groups.entries()) {
    const embedded = isLast && i === groups.length - 1 && group.includes('.') ? parseIpv4(group) : undefined;
    if (embedded !== undefined) bytes.push(...embedded);
    else if (/^[0-9a-fA-F]{1,4}$/.test(group))
      bytes.push(Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255);
    else return undefined;
  }
  return bytes;
}
