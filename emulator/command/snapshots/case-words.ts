// What a values file says of its case in comments: `# drydock: cluster objects.yaml`, `# drydock: fails`.

import { askMeant } from '../../suggest.ts';
import { UsageError } from '../flags.ts';

/** What is asked of a case beside its values. */
export interface CaseWords {
  /** Files of the objects that `lookup` finds, as they are written: from the folder of the values file. */
  readonly cluster: readonly string[];
  /** Whether the chart must refuse it. */
  readonly fails: boolean;
}

const names = ['cluster', 'fails'];

/** Reads the comments at the head of a values file. Throws UsageError for a word that means nothing. */
export function readCaseWords(text: string, file: string): CaseWords {
  const cluster: string[] = [];
  let fails = false;
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() !== '' && !line.startsWith('#')) break;
    const [, word, rest = ''] = /^#\s*drydock:\s*(\S+)\s*(.*?)\s*$/.exec(line) ?? [];
    if (word === 'cluster' && rest !== '') cluster.push(rest);
    else if (word === 'fails' && rest === '') fails = true;
    else if (word !== undefined) {
      const mend = names.includes(word)
        ? 'write "# drydock: cluster FILE" or "# drydock: fails"'
        : `there are ${names.join(' and ')}${askMeant(word, names)}`;
      throw new UsageError(`${file}: "${line}" means nothing: ${mend}`);
    }
  }
  return { cluster, fails };
}
