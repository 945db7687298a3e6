// How all lists of the console are searched.

/** Returns a test for texts that contain every word of a search, in any case. An empty search matches all. */
export function matcherOf(search: string): (text: string) => boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => {
    const low = text.toLowerCase();
    return words.every((word) => low.includes(word));
  };
}
