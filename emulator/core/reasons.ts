// System errors in words instead of C constants.

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read or write it',
  EPERM: 'the system does not permit it',
  EROFS: 'its disk can only be read',
  ENOSPC: 'the disk is full, make room there',
  EDQUOT: 'the disk is full for this user, make room there',
  ENAMETOOLONG: 'a name in the path is too long',
  ELOOP: 'its links lead back to themselves',
};

/** Returns the description of a system error, or its own message if there is none. */
export function reasonOf(failure: unknown): string {
  const { code = '', message } = failure as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}
