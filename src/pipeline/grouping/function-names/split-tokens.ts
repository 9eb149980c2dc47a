const CLOSING: Readonly<Record<string, string>> = { '(': ')', '{': '}', '[': ']', '<': '>' };

/** The words of a declaration: white space inside of brackets does not separate. */
export function splitTokens(text: string): readonly string[] {
  const tokens: string[] = [];
  const expected: string[] = [];
  let token = '';
  let bracketed = '';
  for (const character of text) {
    const closing = CLOSING[character];
    if (closing !== undefined) expected.push(closing);
    else if (expected.length > 0 && character === expected.at(-1)) expected.pop();
    else if (expected.length === 0 && /\s/.test(character)) {
      if (token !== '') tokens.push(token);
      token = '';
      continue;
    }
    bracketed += character;
    // What is in brackets belongs to the word once they end; open ones are left out.
    if (expected.length === 0) {
      token += bracketed;
      bracketed = '';
    }
  }
  if (token !== '') tokens.push(token);
  return tokens;
}
