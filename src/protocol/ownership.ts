/** Who is named as an owner; whether there is such a person or team, the product knows. All in lower case. */
export type OwnerReference =
  | { kind: 'email'; email: string }
  /** `@octocat` of a CODEOWNERS file. */
  | { kind: 'handle'; handle: string }
  | { kind: 'team'; slug: string };
