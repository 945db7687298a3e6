// JSON of many megabytes, read a piece at a step by a streaming parser (@streamparser/json), which no other file knows.

import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { type Json, JsonError, maxDepth, tooDeep } from '../store/json.ts';
import type { Steps } from '../store/steps.ts';
import { exactNumber } from './exact.ts';

const bytesPerStep = 16 * 1024;

/** Gives the JSON in bytes, with the digits of every number, in steps. Throws a `JsonError` as `readJson` does. */
export function* readingJson(bytes: Uint8Array): Steps<Json> {
  const { tokenizer, value } = createReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let at = 0; at < bytes.length; at += bytesPerStep) {
    const piece = bytes.subarray(at, at + bytesPerStep);
    const isLast = at + bytesPerStep >= bytes.length;
    const text = wordFault('is no UTF-8', () => decoder.decode(piece, { stream: !isLast }));
    wordFault('is no JSON', () => tokenizer.write(text));
    yield;
  }
  wordFault('is no JSON', () => tokenizer.isEnded || tokenizer.end());
  const read = value();
  if (read === undefined) throw new JsonError('is no JSON: it ends too early');
  return read;
}

class ExactTokenizer extends Tokenizer {
  protected override parseNumber(text: string): number {
    return exactNumber(text) as number;
  }
}

function createReader(): { readonly tokenizer: Tokenizer; readonly value: () => Json | undefined } {
  const tokenizer = new ExactTokenizer();
  const parser = new TokenParser({ paths: ['$'] });
  let [depth, value] = [0, undefined as Json | undefined];
  tokenizer.onToken = (token) => {
    if (token.token === TokenType.LEFT_BRACE || token.token === TokenType.LEFT_BRACKET) depth++;
    else if (token.token === TokenType.RIGHT_BRACE || token.token === TokenType.RIGHT_BRACKET) depth--;
    if (depth > maxDepth) throw tooDeep();
    const isText = token.token === TokenType.NUMBER && typeof token.value === 'string';
    try {
      parser.write(isText ? ({ ...token, token: TokenType.STRING } as typeof token) : token);
    } catch {
      throw new JsonError(`is no JSON: unexpected ${JSON.stringify(token.value)} at byte ${token.offset}`);
    }
  };
  parser.onValue = (root) => {
    value = root.value as Json;
  };
  return { tokenizer, value: () => value };
}

function wordFault<Value>(what: string, read: () => Value): Value {
  try {
    return read();
  } catch (failure) {
    if (failure instanceof JsonError) throw failure;
    const { message } = failure as Error;
    // The tokenizer tells states of its own; the place is what helps.
    const [fault = '', place = ''] = message.split(' at chunk position ', 2);
    const [, byte] = /absolute position "(\d+)"/.exec(place) ?? [];
    const isCut = message.startsWith('Tokenizer ended');
    throw new JsonError(
      `${what}: ${isCut ? 'it ends too early' : byte === undefined ? message : `${fault} at byte ${byte}`}`,
    );
  }
}
