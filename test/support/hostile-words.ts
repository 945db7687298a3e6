// Strings that try to break out of quotes.

import { wordList } from './dice.ts';

/** Returns strings that would create the file `canary` if a shell executed them, and others that are special to shells. */
export function hostileWords(canary: string): readonly string[] {
  const run = `touch ${canary}`;
  return [
    ...wordList`
      ~ * ? [a] {a,b} $IFS $0 $@ $HOME " ' \ \' # = %s%n --debug -f/etc/passwd --kubeconfig=/dev/null esac in done function
    `,
    ...['# comment', ' ', 'a b', '\t', '{{ printf "x" }}', `--post-renderer=${canary}`],
    `$(${run})`,
    `\`${run}\``,
    `;${run};`,
    `;${run}#`,
    `&&${run}`,
    `||${run}`,
    `|${run}`,
    `&${run}&`,
    `\n${run}\n`,
    `\r\n${run}\r\n`,
    `';${run};'`,
    `';${run};#`,
    `'\\'';${run};'`,
    `";${run};"`,
    `"$(${run})"`,
    `'"$(${run})"'`,
    `'$(${run})'`,
    `\${x:-$(${run})}`,
    `x'\n${run}\n'`,
    `x\u2028${run}`,
    `x\u0085${run}`,
    `x\u0000${run}`,
    `x\u001b${run}`,
    `x\u202e${run}`,
    `<(${run})`,
    `>(${run})`,
    `>${canary}`,
    `x >${canary}`,
    `$((\`${run}\`))`,
    `!${run}`,
    `VALUES\n${run}\nVALUES`,
    `'@\n${run}`,
    `\\$(${run})`,
    `é'$(${run})`,
    `\u2018;${run};\u2018`,
  ];
}
