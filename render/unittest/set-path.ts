// The keys of `set`: paths such as `image.tag`, `list[0].name` and `[a.b].c`.
// Mirrors: helm-unittest 1.1.0, pkg/unittest/valueutils, valueutils.go, `BuildValueOfSetPath`.

import { GoError, type GoMap, type GoValue } from '../go/value.ts';

type State = 'key' | 'index' | 'denotation' | 'escaping';

/** Returns values in which only the path is set. Throws GoError for an invalid path. */
export function valuesAtPath(path: string, value: GoValue): GoMap {
  if (path === '') throw new GoError('set path is empty');
  const steps = stepsOf(path);
  let built: GoValue = value;
  for (const step of steps.toReversed()) {
    if (typeof step === 'string') built = new Map([[step, built]]);
    else {
      const list: GoValue[] = new Array(step + 1).fill(null);
      list[step] = built;
      built = list;
    }
  }
  return built as GoMap;
}

// Maximum length of a list: a greater index would exhaust memory.
const maxIndex = 65_536;

function stepsOf(path: string): readonly (string | number)[] {
  const steps: (string | number)[] = [];
  let state: State = 'key';
  let escaped = '';
  for (let at = 0; ; ) {
    const rest = path.slice(at);
    const length = rest.search(/[.[\],{}=]/);
    const part = length < 0 ? rest : rest.slice(0, length);
    const mark = length < 0 ? '' : rest.charAt(length);
    if (mark !== '' && ',{}='.includes(mark)) throw new GoError(`invalid token found ${mark}`);
    if (mark === '') {
      if (part !== '' && state === 'key') steps.push(part);
      else if (part !== '' || state !== 'denotation') throw new GoError('unexpected end of');
      return steps;
    }
    at += length + 1;
    if (state === 'key') {
      if (mark === ']') throw new GoError(`invalid key ${mark}`);
      if (mark === '[' && part === '') {
        escaped = '';
        state = 'escaping';
      } else {
        steps.push(part);
        state = mark === '[' ? 'index' : 'key';
      }
    } else if (state === 'index') {
      if (mark !== ']') throw new GoError('missing index value');
      if (!/^\+?\d+$/.test(part) || Number(part) > maxIndex) {
        throw new GoError(`strconv.Atoi: parsing ${JSON.stringify(part)}: invalid syntax`);
      }
      steps.push(Number(part));
      state = 'denotation';
    } else if (state === 'denotation') {
      if (mark === ']') throw new GoError(`invalid denotation token ${mark}`);
      state = mark === '[' ? 'index' : 'key';
    } else {
      if (mark === '[') throw new GoError(`invalid escaping token ${mark}`);
      escaped += mark === '.' ? `${part}.` : part;
      if (mark === ']') {
        steps.push(escaped);
        state = 'denotation';
      }
    }
  }
}
