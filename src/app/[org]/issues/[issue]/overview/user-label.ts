/** A user as people know them: by e-mail address or name, else by what the tag `user` holds: `id:42` is `42`. */
export const userLabel = ({ value, person }: { value: string; person?: string }): string =>
  person ?? value.replace(/^(?:id|username|email|ip):/, '');
