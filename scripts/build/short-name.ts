// Names schemas in the bundles by a hash: their texts are as long as the validators.

/** Returns the same few letters for the same text; two texts of a build that meet in one name stop it. */
export function shortName(text: string): string {
  let [one, other] = [0x811c9dc5, 0x9e3779b1];
  for (let at = 0; at < text.length; at++) {
    one = Math.imul(one ^ text.charCodeAt(at), 0x01000193);
    other = Math.imul(other ^ text.charCodeAt(at), 0x85ebca6b) ^ (other >>> 13);
  }
  return (one >>> 0).toString(36) + (other >>> 0).toString(36);
}
