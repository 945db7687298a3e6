// The rules of Windows that scripts of PowerShell keep, one row each with the page that says it. A rule that has to do with running
// is also kept by the interpreter of the proofs (`npm run powershell-proof`).

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { argumentsOf } from '../../../scripts/script-proofs/powershell/native.ts';
import { loadOrder, renderSample } from '../../support/orders.ts';

interface Row {
  readonly rule: string;
  /** The page of Microsoft's documentation. */
  readonly source: string;
  readonly holds: (script: string) => boolean;
}

const rows: readonly Row[] = [
  {
    rule: 'Windows PowerShell 5.1 reads a file without a byte order mark as the code page of the system, which ASCII is part of',
    source: 'about_Character_Encoding, "Byte-order-mark"',
    holds: (script) => script.startsWith('\ufeff') === /[^\0-\u007f]/.test(script.slice(1)),
  },
  {
    rule: 'lines may end with LF, and texts have the line breaks of their file: documents reach tools as they are',
    source: 'PowerShell language specification, 2.2.2 "Line terminators", 2.3.5.2 "String literals"',
    holds: (script) => script.endsWith('\n') && !script.includes('\r'),
  },
  {
    rule: 'single quotes of four kinds end a quoted word: each stands twice',
    source: 'about_Quoting_Rules, "Single-quoted strings"; language specification, "single-quote-character"',
    holds: (script) => script.includes("-replace \"['\\u2018-\\u201b]\", '$0$0'"),
  },
  {
    rule: 'what is piped to a program is ASCII in 5.1 unless $OutputEncoding says otherwise',
    source: 'about_Preference_Variables, "$OutputEncoding"',
    holds: (script) => script.includes('$OutputEncoding = New-Object System.Text.UTF8Encoding $false\n'),
  },
  {
    rule: 'what a program says is read as the code page of the console, which outlives the script',
    source: 'about_Character_Encoding, "Changing the default encoding"; Console.OutputEncoding',
    holds: (script) =>
      script.includes('[Console]::OutputEncoding = $OutputEncoding\n') &&
      script.includes('[Console]::OutputEncoding = $script:CodePage }\n}\nexit '),
  },
  {
    rule: 'the exit code of a program is no error to 5.1, and may be one to 7.4',
    source:
      'about_Automatic_Variables, "$LASTEXITCODE"; about_Preference_Variables, "$PSNativeCommandUseErrorActionPreference"',
    holds: (script) =>
      script.includes('$PSNativeCommandUseErrorActionPreference = $false\n') &&
      /\$code = \$LASTEXITCODE\n[\s\S]{0,900}return \$code\n/.test(script),
  },
  {
    rule: 'standard error of a program becomes errors in 5.1 where it is redirected, and these stop what stops at errors',
    source: 'about_Redirection, "Redirecting output from native commands"; $ErrorActionPreference',
    holds: (script) =>
      /\$ErrorActionPreference = 'Continue'\n[\s\S]{0,400}2>&1[\s\S]{0,200}\$ErrorActionPreference = 'Stop'/.test(
        script,
      ),
  },
  {
    rule: 'a script ends with the exit code of its last program unless it says one',
    source: 'about_pwsh, "-File"; about_Language_Keywords, "exit"',
    holds: (script) => /exit \$script:ExitCode\n\}\n$/.test(script),
  },
  {
    rule: 'Ctrl-C runs no more of a script than its finally blocks',
    source: 'about_Try_Catch_Finally, "Freeing resources by using finally"',
    holds: (script) =>
      /\} finally \{\n[^}]*\$script:ExitCode = 130\n[^}]*\}\n {2}Complete-Script \$failure\n/.test(script),
  },
  {
    rule: 'a variable that was never set is an error only where strict mode says so',
    source: 'Set-StrictMode',
    holds: (script) => script.includes('Set-StrictMode -Version 3.0\n'),
  },
];

const scripts = new Map<string, string>();
before(async () => {
  const order = await renderSample(loadOrder('platform.json'));
  for (const action of ['install', 'uninstall'] as const) {
    scripts.set(`helm-${action}`, order.helmScript('windows', { action }));
    scripts.set(`kubectl-${action}`, order.yamlScript('windows', { action }));
  }
});

for (const { rule, source, holds } of rows) {
  test(`${rule} (${source})`, () => {
    // Uninstallations hand no documents over, and not every script keeps what a program says.
    const kept = [...scripts].filter(([, script]) => holds(script)).map(([name]) => name);
    const needed = /redirected|exit code of a program/.test(rule)
      ? ['helm-install', 'kubectl-install']
      : [...scripts.keys()];
    assert.deepEqual(
      needed.filter((name) => !kept.includes(name)),
      [],
    );
  });
}

// What 5.1 hands on as it stands, programs take apart; scripts escape quotes for it, and 7.3 does that itself.
const escaped = (word: string): string => word.replace(/(\\*)"/g, '$1$1\\"');

for (const word of ['plain', 'two words', 'a "quoted" word', 'C:\\Program Files\\x', '{"a":"b c"}', 'back\\"slash']) {
  test(`the word ${word} reaches a program of 5.1 and of 7 as it is (about_Parsing, "Passing arguments that contain quote characters")`, () => {
    assert.deepEqual(argumentsOf([escaped(word)], '5.1'), [word]);
    assert.deepEqual(argumentsOf([word], '7.4'), [word]);
  });
}
