// Keys and file names for the resources of a package: short if possible, always unique, and independent of unrelated resources.
// Mirrors: kubepack, lib-helm `ResourceKey` and `ResourceFilename`, with its collisions and cut words completed.

/** The parts of a resource's name. */
export interface ResourceIdentity {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  /** `metadata.name`, or `metadata.generateName`, or empty. */
  readonly name: string;
}

export interface ResourceName {
  /** Unique in its package, such as `appsDeployment_api`. */
  readonly key: string;
  /** Unique in its package, without extension, such as `deployment` or `deployment_api`. */
  readonly filename: string;
}

/** Returns names for the resources of a package, in order. `releaseName` is removed from the start of names; empty for none. */
export function nameResources(resources: readonly ResourceIdentity[], releaseName: string): ResourceName[] {
  const stems = resources.map((resource) => stemsOf(resource, releaseName));
  const keys = separate(
    resources,
    stems.map((stem) => stem.key),
  );
  const filenames = separate(resources, chooseFilenames(stems));
  return resources.map((_, index) => ({ key: keys[index]!, filename: filenames[index]! }));
}

interface Stems {
  readonly key: string;
  /** From short to long: kind; kind and name; group, kind and name. */
  readonly filenames: readonly [string, string, string];
}

function stemsOf({ apiVersion, kind, name }: ResourceIdentity, releaseName: string): Stems {
  const slash = apiVersion.indexOf('/');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  const type = kind === '' ? 'Document' : kind;
  const prefix = pascalize(
    group
      .replace(/\.k8s\.io$/, '')
      .replace(/\.kubernetes\.io$/, '')
      .replaceAll('.', '_'),
  );
  const suffix = suffixOf(name, releaseName);
  const keySuffix = underscore(suffix);
  const fileSuffix = pascalize(suffix.replaceAll('.', '-').replace(/^-+|(?<!-)-+$/g, ''));
  return {
    key: camelize(prefix + type) + (keySuffix === '' ? '' : `_${keySuffix}`),
    filenames: [underscore(type), underscore(type + fileSuffix), underscore(prefix + type + fileSuffix)],
  };
}

// Only whole words are removed: the `web` of `website` stays.
function suffixOf(name: string, releaseName: string): string {
  if (releaseName === '' || !name.startsWith(releaseName)) return name;
  const rest = name.slice(releaseName.length);
  return rest === '' || /^[^A-Za-z0-9]/.test(rest) ? rest : name;
}

function chooseFilenames(stems: readonly Stems[]): string[] {
  const counts = [0, 1, 2].map((form) => countOf(stems.map((stem) => stem.filenames[form]!)));
  return stems.map(({ filenames }) => filenames.find((name, form) => counts[form]?.get(name) === 1) ?? filenames[2]);
}

// Equal names get their namespace, then a hash of the whole identity, which does not depend on other resources; true duplicates get a
// number.
function separate(resources: readonly ResourceIdentity[], stems: readonly string[]): string[] {
  const byNamespace = unlessUnique(stems, (index) => underscore(resources[index]?.namespace ?? ''));
  const byHash = unlessUnique(byNamespace, (index) => hashOf(resources[index]!));
  const taken = new Map<string, number>();
  return byHash.map((name) => {
    const number = (taken.get(name) ?? 0) + 1;
    taken.set(name, number);
    return number === 1 ? name : `${name}_${number}`;
  });
}

function unlessUnique(names: readonly string[], suffix: (index: number) => string): string[] {
  const counts = countOf(names);
  return names.map((name, index) => {
    const more = counts.get(name) === 1 ? '' : suffix(index);
    return more === '' ? name : `${name}_${more}`;
  });
}

function countOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

// FNV-1a, 32 bits: enough for a few names, and the same everywhere.
function hashOf({ apiVersion, kind, namespace, name }: ResourceIdentity): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode([apiVersion, kind, namespace, name].join('\n'))) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}

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
function camelize(text: string): string {
  return partsOf(text)
    .map((part, index) => {
      const letters = lettersOf(part);
      return index === 0 ? letters.toLowerCase() : letters.slice(0, 1).toUpperCase() + letters.slice(1);
    })
    .join('');
}

/** Returns camel case with a first capital: `cert-manager_io` is `CertManagerIo`. */
function pascalize(text: string): string {
  const camel = camelize(text);
  return camel.slice(0, 1).toUpperCase() + camel.slice(1);
}

/** Returns snake case: `HTTPRoute` is `http_route`. Characters other than letters and digits are removed. */
function underscore(text: string): string {
  return partsOf(text).map(lettersOf).filter(Boolean).join('_').toLowerCase();
}
