// Charts that were dropped onto the demo, kept in the browser's IndexedDB: they are there again when it is loaded anew.

import type { UploadedChart } from '../rendering/renderer.ts';
import type { UploadedCharts } from '../rendering/uploaded-charts.ts';

const store = 'charts';
// A browser gives a page so much at least; of more charts the oldest go.
const most = 20;

/** Puts the kept charts onto a uploads, and keeps each that comes from then on. Without IndexedDB nothing is kept. */
export async function keepCharts(uploads: UploadedCharts, name: string): Promise<UploadedCharts> {
  const database = await openDatabase(name).catch(() => undefined);
  if (!database) return uploads;
  for (const chart of await readAll(database).catch(() => [])) uploads.add(chart);
  return {
    charts: uploads.charts,
    add: (chart) => {
      uploads.add(chart);
      // What cannot be kept is at hand all the same, until the page is left.
      void write(database, chart).catch(() => undefined);
    },
    clear: () => {
      database.transaction(store, 'readwrite').objectStore(store).clear();
      return uploads.clear();
    },
  };
}

function openDatabase(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(store, { autoIncrement: true });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('another tab holds it'));
  });
}

function readAll(database: IDBDatabase): Promise<readonly UploadedChart[]> {
  return new Promise((resolve, reject) => {
    const request = database.transaction(store).objectStore(store).getAll();
    request.onsuccess = () => resolve(request.result as readonly UploadedChart[]);
    request.onerror = () => reject(request.error);
  });
}

// In the order in which they came: of one name and version the last one stays.
function write(database: IDBDatabase, uploaded: UploadedChart): Promise<void> {
  return new Promise((resolve, reject) => {
    const change = database.transaction(store, 'readwrite');
    const charts = change.objectStore(store);
    const keys: IDBValidKey[] = [];
    charts.openCursor().onsuccess = ({ target }) => {
      const cursor = (target as IDBRequest<IDBCursorWithValue | null>).result;
      if (cursor) {
        if (isSame(cursor.value as UploadedChart, uploaded)) cursor.delete();
        else keys.push(cursor.key);
        cursor.continue();
        return;
      }
      for (const key of keys.slice(0, Math.max(0, keys.length + 1 - most))) charts.delete(key);
      charts.add(uploaded);
    };
    change.oncomplete = () => resolve();
    change.onerror = () => reject(change.error);
    change.onabort = () => reject(change.error);
  });
}

function isSame({ chart: { metadata: a } }: UploadedChart, { chart: { metadata: b } }: UploadedChart): boolean {
  return a.name === b.name && a.version === b.version;
}
