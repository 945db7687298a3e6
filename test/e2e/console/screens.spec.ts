// Tests every screen of the served console.

import { consoleTest, isFirefox } from './fixture.ts';
import { testAccessibility, testLayoutAndKeyboard } from './screens.ts';

const test = consoleTest();
testAccessibility(test, isFirefox ? [1440, 390] : [1440, 820, 360]);
testLayoutAndKeyboard(test);
