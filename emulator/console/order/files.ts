// Files that somebody drops or opens: sent to the emulator, which says what each is. Folders are walked here.

import { ApiFailure, request } from '../api.ts';
import type { AvailableChart } from '../session.ts';

/** A file with its path below what was dropped. */
export interface DroppedFile {
  readonly path: string;
  readonly file: File;
}

/** A text with the name of its file. */
export interface FileText {
  readonly name: string;
  readonly text: string;
}

/** What files are. */
export interface TakenFiles {
  /** They are at hand now. */
  readonly charts: readonly AvailableChart[];
  readonly orders: readonly FileText[];
  readonly values: readonly FileText[];
  readonly refused: readonly { readonly name: string; readonly message: string; readonly hint?: string }[];
}

// A chart has hundreds of files and some megabytes; a home folder that was dropped by mistake has more.
const mostFiles = 5000;
const mostBytes = 50 * 1024 * 1024;

/** Returns the files of a drop, those of folders included. Rejects where they are more than charts have. */
export async function droppedFiles(transfer: DataTransfer): Promise<readonly DroppedFile[]> {
  // The list is empty as soon as the event is over.
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

/** Lets somebody choose files, by names that end so, such as `.yaml,.json`; never ends where they choose none. */
export function chosenFiles(accept: string, multiple: boolean): Promise<readonly DroppedFile[]> {
  const field = document.createElement('input');
  Object.assign(field, { type: 'file', multiple, accept });
  return new Promise((resolve) => {
    field.onchange = () => resolve([...(field.files ?? [])].map((file) => ({ path: file.name, file })));
    field.click();
  });
}

/** Hands files over and returns what they are. Rejects with an `ApiFailure`, and where they are more than charts have. */
export async function takeFiles(files: readonly DroppedFile[]): Promise<TakenFiles> {
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  if (files.length > mostFiles || bytes > mostBytes) throw tooMany();
  const sent = await Promise.all(files.map(async ({ path, file }) => ({ path, data: await base64Of(file) })));
  return request<TakenFiles>('POST', '__drydock/files', { body: { files: sent } }).catch((failure: unknown) => {
    if (!(failure instanceof ApiFailure)) throw failure;
    // What takes too long to unpack is refused as a whole.
    const { status, refusal } = failure;
    const names = `${files[0]?.path ?? ''}${files.length > 1 ? ` and ${files.length - 1} more` : ''}`;
    throw new ApiFailure(status, { ...refusal, message: `${names}: ${refusal.message}` });
  });
}

function tooMany(): Error {
  return new Error('These are more than 5000 files or 50 MiB: drop the folder of one chart, or its archive.');
}

// By the browser's own hand, so that megabytes hold nobody up.
function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,?/, ''));
    reader.onerror = () => reject(new Error(`${file.name} cannot be read.`));
    reader.readAsDataURL(file);
  });
}
