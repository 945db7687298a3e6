// The browser's storage. Without it, because it is full or disabled, the console still works; what it keeps is lost with the page.

export function storedItem(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keepItem(name: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // It is lost with the page.
  }
}
