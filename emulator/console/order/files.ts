// Dropped or opened files: sent to the emulator, which recognizes them. Folders are read here.

import { ApiFailure, request } from '../api.ts';
import type { AvailableChart } from '../session.ts';

export interface DroppedFile {
  readonly path: string;
  readonly file: File;
}

export interface FileText {
  readonly name: string;
  readonly text: string;
}

interface TakenFiles {
  readonly charts: readonly AvailableChart[];
  readonly orders: readonly FileText[];
  readonly values: readonly FileText[];
  readonly refused: readonly { readonly name: string; readonly message: string; readonly hint?: string }[];
}

// A chart has hundreds of files and some megabytes; an accidentally dropped home folder has more.
const mostFiles = 5000;
const mostBytes = 50 * 1024 * 1024;

/** Returns the files of a drop, including those in folders. Rejects if there are more than charts have. */
export async function droppedFiles(transfer: DataTransfer): Promise<readonly DroppedFile[]> {
  // The list is emptied after the event.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  if (entries.length === 0) return [...transfer.files].map((file) => ({ path: file.name, file }));
  const found: DroppedFile[] = [];
  for (const entry of entries) await walk(entry, '', found);
  return found;
}

async function walk(entry: FileSystemEntry, above: string, found: DroppedFile[]): Promise<void> {
  const path = `${above}${entry.name}`;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    found.push({ path, file });
    if (found.length > mostFiles) throw tooMany();
    return;
  }
  if (entry.name === '.git' || entry.name === 'node_modules') return;
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const next = (): Promise<FileSystemEntry[]> => new Promise((resolve, reject) => reader.readEntries(resolve, reject));
  for (let part = await next(); part.length > 0; part = await next()) {
    for (const inner of part) await walk(inner, `${path}/`, found);
  }
}

/** Opens a file dialog for files with some extensions, such as `.yaml,.json`; never resolves if it is canceled. */
export function chosenFiles(accept: string, multiple: boolean): Promise<readonly DroppedFile[]> {
  const field = document.createElement('input');
  Object.assign(field, { type: 'file', multiple, accept });
  return new Promise((resolve) => {
    field.onchange = () => resolve([...(field.files ?? [])].map((file) => ({ path: file.name, file })));
    field.click();
  });
}

/** Uploads files and returns what they are. Rejects with an `ApiFailure`, and if they exceed the limits of charts. */
export async function takeFiles(files: readonly DroppedFile[]): Promise<TakenFiles> {
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  if (files.length > mostFiles || bytes > mostBytes) throw tooMany();
  const sent = await Promise.all(files.map(async ({ path, file }) => ({ path, data: await base64Of(file) })));
  return request<TakenFiles>('POST', '__drydock/files', { body: { files: sent } }).catch((failure: unknown) => {
    if (!(failure instanceof ApiFailure)) throw failure;
    // If unpacking takes too long, the whole upload is refused.
    const { status, refusal } = failure;
    const names = `${files[0]?.path ?? ''}${files.length > 1 ? ` and ${files.length - 1} more` : ''}`;
    throw new ApiFailure(status, { ...refusal, message: `${names}: ${refusal.message}` });
  });
}

function tooMany(): Error {
  return new Error('These are more than 5000 files or 50 MiB: drop the folder of one chart, or its archive.');
}

// Native base64, so that megabytes do not block the page.
function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,?/, ''));
    reader.onerror = () => reject(new Error(`${file.name} cannot be read.`));
    reader.readAsDataURL(file);
  });
}

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
  return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
}
