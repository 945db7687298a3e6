// Numbers in words.

/** Gives how many there are of something, such as `1 file` or `2 files`. */
export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
