// The completion script for fish.

import type { OfferedCommand, OfferedFlag, Offers } from './model.ts';

/** Returns the script. */
export function fishScript(commands: readonly OfferedCommand[], leading: readonly OfferedFlag[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const first = quote(`not __fish_seen_subcommand_from ${names}`);
  const lines = [
    ...commands.map(({ name, about }) => `complete -c drydock -n ${first} -a ${name} -d ${quote(about)}`),
    ...leading.map((flag) => `complete -c drydock -n ${first}${flagWords(flag)}`),
    ...commands.flatMap(({ name, flags, offers }) => {
      const condition = quote(`__fish_seen_subcommand_from ${name}`);
      const seen = `complete -c drydock -n ${condition}`;
      return [
        ...(offers === 'none' ? [] : [`${seen}${offerWords(offers)}`]),
        ...flags.map((flag) => `${seen}${flagWords(flag)}`),
      ];
    }),
  ];
  return `# Completion of drydock for fish: save it as ~/.config/fish/completions/drydock.fish

complete -c drydock -f
${lines.join('\n')}
`;
}

function flagWords({ name, short, about, takesValue, offers }: OfferedFlag): string {
  const letter = short === undefined ? '' : ` -s ${short}`;
  const value = takesValue ? ` -r${offerWords(offers)}` : '';
  return ` -l ${name}${letter}${value} -d ${quote(about)}`;
}

function offerWords(offers: Offers): string {
  if (offers === 'files') return ' -F';
  if (offers === 'folders') return " -f -a '(__fish_complete_directories)'";
  return offers === 'none' ? ' -f' : ` -f -a ${quote(offers.join(' '))}`;
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
