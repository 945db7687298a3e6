// Tests the completion scripts: bash, zsh and fish complete command lines; the script for PowerShell is parsed.
// `npm run test:e2e -- completions`

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { completionScripts } from '../../../render/cli/tools/completion.ts';
import { check, temporaryFolder } from '../../../scripts/dev/tools/tools.ts';
import { parsePowerShell } from '../../support/powershell.ts';

/** The input, the expected completions, and those that must not appear. */
const rows: readonly (readonly [typed: string, offered: readonly string[], absent: readonly string[]])[] = [
  ['drydock ', ['template', 'render', 'serve', 'completion'], ['orders']],
  ['drydock --no-color re', ['render'], ['template']],
  ['drydock render --ou', ['--output', '--out'], ['--port']],
  ['drydock render --output ', ['manifest', 'resources', 'pkgmgr3', 'yaml'], ['--output']],
  ['drydock render -o p', ['pkgmgr3'], ['manifest']],
  ['drydock help comp', ['completion'], ['template']],
  ['drydock check no', ['notes.txt'], ['orders/']],
  ['drydock serve --fixtures ', ['orders/'], ['notes.txt']],
  ['drydock serve --set pageS', ['pageSize='], ['hosted=']],
];

const root = join(import.meta.dirname, '../../..');
const folder = temporaryFolder('drydock-completions-');
await execa('mkdir', [join(folder, 'orders')]);
await writeFile(join(folder, 'notes.txt'), '');
const scripts: Record<string, string> = {};
for (const [shell, script] of Object.entries(completionScripts)) {
  scripts[shell] = join(folder, `.script.${shell}`);
  await writeFile(scripts[shell], script);
}
// The command that the scripts ask.
const bin = temporaryFolder('drydock-bin-');
const command = [process.execPath, '--import', import.meta.resolve('tsx'), join(root, 'emulator/cli/main.node.ts')];
await writeFile(join(bin, 'drydock'), `#!/bin/sh\nexec ${command.map((word) => `'${word}'`).join(' ')} "$@"\n`, {
  mode: 0o755,
});

// zsh only completes at a prompt: a shell in a separate terminal, whose `compadd` prints the completions.
await writeFile(
  join(folder, '.rc.zsh'),
  `PROMPT=
autoload -Uz compinit && compinit -u -D
source '${scripts.zsh}'
bindkey '^I' complete-word
zstyle ':completion:*' insert-tab false
mark() { print -r -- MARK }
compprefuncs=(mark)
comppostfuncs=(mark exit)
compadd() {
  # Calls with -O, -A or -D only query matches.
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)' '* ]]; then builtin compadd "$@"; return; fi
  local -a hits
  builtin compadd -A hits "$@"
  (( $#hits )) && print -rl -- $hits
}
# The shell accepts keys from here on.
zle-line-init() { print -r -- READY }
zle -N zle-line-init
`,
);
await writeFile(
  join(folder, '.ask.zsh'),
  `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "source '${folder}/.rc.zsh'"
while zpty -r shell line; do [[ $line == *READY* ]] && break; done
zpty -n -w shell "$1"$'\t'
marks=0
while zpty -r shell line; do
  line=\${line%$'\r'*}
  if [[ $line == *MARK ]]; then (( ++marks == 2 )) && break; else (( marks )) && print -r -- "$line"; fi
done
zpty -d shell
`,
);

type Ask = (typed: string) => Promise<readonly string[]>;

const env = { TERM: 'xterm', HOME: folder, PATH: `${bin}:${process.env.PATH ?? ''}` };

async function lines(program: string, args: readonly string[], input = ''): Promise<readonly string[]> {
  const { stdout } = await execa(program, args, { cwd: folder, input, env });
  return stdout.split(/\r?\n/).map((line) => line.trim());
}

const asks: Readonly<Record<string, Ask>> = {
  // As in readline: the words, the index of the current one, and the registered function.
  bash: (typed) => {
    const words = typed.split(' ');
    const array = words.map((word) => `'${word}'`).join(' ');
    const script = `source '${scripts.bash}'; COMP_WORDS=(${array}); COMP_CWORD=${words.length - 1}; _drydock 2>/dev/null; for word in "\${COMPREPLY[@]}"; do [ -d "$word" ] && word=$word/; echo "$word"; done`;
    return lines('bash', ['--norc', '-c', script]);
  },
  zsh: (typed) => lines('zsh', ['-f', join(folder, '.ask.zsh'), typed]),
  fish: async (typed) => {
    const offered = await lines('fish', ['--no-config', '-c', `source '${scripts.fish}'; complete -C '${typed}'`]);
    return offered.map((line) => line.split('\t')[0] ?? '');
  },
};

for (const [shell, ask] of Object.entries(asks)) {
  for (const [typed, offered, absent] of rows) {
    const found = await ask(typed);
    const missing = offered.filter((word) => !found.includes(word) && !found.includes(word.replace(/\/$/, '')));
    const wrong = absent.filter((word) => found.includes(word));
    const failure = `${missing.length === 0 ? '' : `; missing ${missing}`}${wrong.length === 0 ? '' : `; unexpected ${wrong}`}`;
    check(`${shell} completes: ${typed}${failure === '' ? '' : `${failure}; offered ${found}`}`, failure === '');
  }
}

const { errors } = await parsePowerShell(completionScripts.powershell);
check(`powershell: the script has valid syntax${errors.map((error) => `\n${error}`).join('')}`, errors.length === 0);
