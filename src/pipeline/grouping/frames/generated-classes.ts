/** Names that JVM libraries give to classes made at run time: what follows the mark differs from start to start. */
const MARKS: readonly (readonly [hint: string, pattern: RegExp])[] = [
  // Reflection of OpenJDK: sun.reflect.GeneratedConstructorAccessor12
  ['Generated', /(sun\.reflect\.Generated(?:Serialization)?ConstructorAccessor)\d+/g],
  // Spring: Shop$$EnhancerBySpringCGLIB$$1a2b3c4d
  ['CGLIB$$', /(\$\$\w{1,200}?CGLIB\$\$)[a-fA-F0-9]+(?:_[0-9]+)?/g],
  // Javassist: Order_$$_javassist_seam_74
  ['_javassist', /(\$\$_javassist)(?:_seam)?(?:_[0-9]+)?/g],
  // Clojure: shop.core$fn__1234
  ['$fn__', /(\$fn__)\d+/g],
  // Guice: Shop$$EnhancerByGuice$$1a2b3c4d
  ['EnhancerBy', /(\$\$?EnhancerBy\w{1,200}?\$?\$)[a-fA-F0-9]+(?:_[0-9]+)?/g],
  // Guice: Shop$$FastClassByGuice$$1a2b3c4d
  ['FastClassBy', /(\$\$?FastClassBy\w{1,200}?\$?\$)[a-fA-F0-9]+(?:_[0-9]+)?/g],
  // Hibernate: User$HibernateProxy$oRWxjAWT
  ['HibernateProxy', /(\$\$?HibernateProxy\$?\$)\w+(?:_[0-9]+)?/g],
];

/** Accessors of methods are all one class, whichever method they call. */
const METHOD_ACCESSORS = [
  'sun.reflect.GeneratedMethodAccessor',
  'jdk.internal.reflect.GeneratedMethodAccessor',
] as const;

/** A Java class with what was generated replaced by `<auto>`; the same name when nothing was. */
export function withoutGeneratedParts(name: string): string {
  const accessor = METHOD_ACCESSORS.find((prefix) => name.startsWith(prefix));
  if (accessor !== undefined) return accessor;
  let stable = name;
  for (const [hint, pattern] of MARKS) {
    if (stable.includes(hint)) stable = stable.replace(pattern, '$1<auto>');
  }
  return stable;
}

/** Only the mark of Javassist, which is the one that reaches file names. */
export const withoutJavassistMark = (name: string): string =>
  name.includes('$$_javassist') ? name.replace(/(\$\$_javassist)(?:_seam)?(?:_[0-9]+)?/g, '$1<auto>') : name;
