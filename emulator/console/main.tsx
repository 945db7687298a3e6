// The entry point of the console.

import { render } from 'preact';
import { App } from './view/app.tsx';

const place = document.getElementById('console');
if (place) {
  place.replaceChildren();
  render(<App />, place);
}
