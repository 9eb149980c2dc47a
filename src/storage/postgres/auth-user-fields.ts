/** A field that a plugin adds to the user; the library's types do not tell. */
export const hasTwoFactorOn = (user: object): boolean =>
  'twoFactorEnabled' in user && user.twoFactorEnabled === true;
