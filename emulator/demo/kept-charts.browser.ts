// Charts dropped onto the demo, stored in IndexedDB so that they survive a reload.

import type { UploadedChart } from '../rendering/renderer.ts';
import type { UploadedCharts } from '../rendering/uploaded-charts.ts';

const store = 'charts';
// Every browser allows at least this much; beyond it the oldest charts are removed.
const most = 20;

/** Loads the stored charts into the uploads and stores each later one. Does nothing without IndexedDB. */
export async function keepCharts(uploads: UploadedCharts, name: string): Promise<UploadedCharts> {
  const database = await openDatabase(name).catch(() => undefined);
  if (!database) return uploads;
  for (const chart of await readAll(database).catch(() => [])) uploads.add(chart);
  return {
    charts: uploads.charts,
    add: (chart) => {
      uploads.add(chart);
      // A chart that cannot be stored is still available until the page is closed.
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

// In order of arrival: the last chart of a name and version wins.
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
