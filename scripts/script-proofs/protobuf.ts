// Reads the few protobuf messages that Helm sends to an API server: Secrets (its releases) and Namespaces.

type Fields = Map<number, (Buffer | number)[]>;

function fieldsOf(bytes: Buffer): Fields {
  const fields: Fields = new Map();
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] as number;
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const length = varint();
    const value = (tag & 7) === 2 ? bytes.subarray(at, at + length) : length;
    if ((tag & 7) === 2) at += length;
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}

const bytesAt = (fields: Fields, number: number): Buffer => (fields.get(number)?.[0] ?? Buffer.alloc(0)) as Buffer;
const textAt = (fields: Fields, number: number): string => bytesAt(fields, number).toString('utf8');

function entries(fields: Fields, number: number, encoding: BufferEncoding): Record<string, string> {
  const pairs = (fields.get(number) ?? []).map((entry): [string, string] => {
    const pair = fieldsOf(entry as Buffer);
    return [textAt(pair, 1), bytesAt(pair, 2).toString(encoding)];
  });
  return Object.fromEntries(pairs);
}

/** Gives the JSON of a request body: JSON as it is, a Secret or Namespace from protobuf. */
export function readBody(body: Buffer): string {
  if (body.subarray(0, 4).toString('latin1') !== 'k8s\0') return body.toString('utf8');
  const unknown = fieldsOf(body.subarray(4));
  const type = fieldsOf(bytesAt(unknown, 1));
  const object = fieldsOf(bytesAt(unknown, 2));
  const metadata = fieldsOf(bytesAt(object, 1));
  const kind = textAt(type, 2);
  return JSON.stringify({
    apiVersion: textAt(type, 1),
    kind,
    metadata: { name: textAt(metadata, 1), labels: entries(metadata, 11, 'utf8') },
    ...(kind === 'Secret' ? { data: entries(object, 2, 'base64'), type: textAt(object, 3) } : {}),
  });
}
