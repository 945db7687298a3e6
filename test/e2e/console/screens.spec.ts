// Tests every screen of the served console.

import { consoleTest } from './fixture.ts';
import { testAccessibility, testLayoutAndKeyboard } from './screens.ts';

const test = consoleTest();
testAccessibility(test);
testLayoutAndKeyboard(test);
