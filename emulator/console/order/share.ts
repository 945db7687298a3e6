// A whole Order in a link: compressed and encoded for URLs. No server stores it.

/** Encodes a text as letters, digits, `-` and `_`. */
export async function packText(text: string): Promise<string> {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  let binary = '';
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary)
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '');
}

// A link is untrusted: it may decompress to any size.
const longest = 4 * 1024 * 1024;

/** Decodes a text from `packText`. Rejects with a message for an incomplete link, or one with more than 4 MiB. */
export async function unpackText(packed: string): Promise<string> {
  try {
    const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(
      await through(bytes, new DecompressionStream('deflate-raw')),
    );
  } catch (failure) {
    if (failure instanceof RangeError) throw failure;
    throw new Error('The link does not hold a whole Order: copy it again, to its end.');
  }
}

async function through(bytes: Uint8Array, transform: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart])
    .stream()
    .pipeThrough(transform as unknown as ReadableWritablePair<Uint8Array, BufferSource>);
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    chunks.push(part.value);
    length += part.value.length;
    if (length <= longest) continue;
    await reader.cancel();
    throw new RangeError('The link holds more than 4 MiB: it is too large for the editor.');
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
