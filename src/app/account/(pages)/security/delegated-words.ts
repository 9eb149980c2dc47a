/** `3 personal tokens and 1 connected program`; empty when there is nothing. */
export function delegatedWords({ tokens, programs }: { tokens: number; programs: number }): string {
  const parts = [
    tokens === 0 ? '' : `${tokens} personal ${tokens === 1 ? 'token' : 'tokens'}`,
    programs === 0 ? '' : `${programs} connected ${programs === 1 ? 'program' : 'programs'}`,
  ];
  return parts.filter((part) => part !== '').join(' and ');
}
