// What the console's modules read of the page when they are loaded: imported before them.

Object.assign(globalThis, {
  document: { documentElement: { dataset: {}, style: {} } },
  location: { href: 'http://127.0.0.1/', hash: '' },
  localStorage: { getItem: () => null, setItem: () => undefined, removeItem: () => undefined },
  addEventListener: () => undefined,
  innerWidth: 1280,
  innerHeight: 900,
});
