// Splits words like kubepack's inflection library, so that keys and file names are the same.
// Mirrors: github.com/gobuffalo/flect v1, ident.go `New`, `Camelize`, `Pascalize`, `Underscore`.

// Words that are written in capitals if they stand between separators or capitals.
const acronyms = new Set(
  (
    'OK UTF8 HTML JSON JWT ID UUID SQL ACK ACL ADSL AES ANSI API ARP ATM BGP BSS CCITT CHAP CIDR CIR CLI CPE CPU CRC CRT ' +
    'CSMA CMOS DCE DEC DES DHCP DNS DRAM DSL DSLAM DTE DMI EHA EIA EIGRP EOF ESS FCC FCS FDDI FTP GBIC GEPOF HDLC HTTP ' +
    'HTTPS IANA ICMP IDF IDS IEEE IETF IMAP IP IPS ISDN ISP LACP LAN LAPB LAPF LLC MAC MC MDF MIB MPLS MTU NAC NAT NBMA ' +
    'NIC NRZ NRZI NVRAM OIDC OSI OSPF OUI PAP PAT PC PIM PCM PDU POP3 POTS PPP PPTP PTT PVST RAM RARP RFC RIP RLL ROM ' +
    'RSTP RTP RCP SDLC SFD SFP SLARP SLIP SMTP SNA SNAP SNMP SOF SRAM SSH SSID STP SYN TDM TFTP TIA TOFU UDP URL URI USB ' +
    'UTP VC VLAN VLSM VPN W3C WAN WEP WPA WWW'
  ).split(' '),
);

const separator = /[_\s:/-]/;
const upper = /\p{Lu}/u;
const kept = /[\p{L}\p{Nd}\p{P}`]/u;

// A part ends at a separator, before a capital after a lower-case letter, and after an acronym before another capital.
function partsOf(text: string): string[] {
  const trimmed = text.trim();
  if (acronyms.has(trimmed.toUpperCase())) return [trimmed.toUpperCase()];
  const parts: string[] = [];
  let part = '';
  let previous = '';
  const close = (next: string): void => {
    const word = part.replace(/^[_\s:/-]+|(?<![_\s:/-])[_\s:/-]+$/g, '');
    if (word !== '') parts.push(acronyms.has(word.toUpperCase()) ? word.toUpperCase() : word);
    part = next;
  };
  for (const char of trimmed) {
    const startsWord = upper.test(char) && (!upper.test(previous) || acronyms.has(part.toUpperCase()));
    if (separator.test(char) || startsWord) close(char);
    else if (kept.test(char)) part += char;
    else close('');
    previous = char;
  }
  close('');
  return parts;
}

function lettersOf(part: string): string {
  return part.replace(/[^\p{L}\p{Nd}]/gu, '');
}

/** Returns lower camel case: `storage CSIDriver` is `storageCSIDriver`. */
export function camelize(text: string): string {
  return partsOf(text)
    .map((part, index) => {
      const letters = lettersOf(part);
      return index === 0 ? letters.toLowerCase() : letters.slice(0, 1).toUpperCase() + letters.slice(1);
    })
    .join('');
}

/** Returns camel case with a first capital: `cert-manager_io` is `CertManagerIo`. */
export function pascalize(text: string): string {
  const camel = camelize(text);
  return camel.slice(0, 1).toUpperCase() + camel.slice(1);
}

/** Returns snake case: `HTTPRoute` is `http_route`. Characters other than letters and digits are removed. */
export function underscore(text: string): string {
  return partsOf(text).map(lettersOf).filter(Boolean).join('_').toLowerCase();
}
