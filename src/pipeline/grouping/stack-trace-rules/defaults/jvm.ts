import type { StackTraceRule } from '../rule-types.ts';
import { inCategory, NOT_APP, NOT_GROUPED, type PlatformCategories, rules } from './default-rules.ts';

/** Java: the class library. */
export const JVM_CATEGORIES: PlatformCategories = {
  std: { modules: ['java.*', 'javax.crypto.*'] },
  threadbase: { pairs: [{ module: 'java.util.concurrent.ThreadPoolExecutor*', function: 'runWorker' }] },
  indirection: {
    modules: ['java.lang.reflect.*'],
    pairs: [{ module: 'java.lang.Class', function: 'getMethod' }],
  },
  load: {
    pairs: [
      { module: 'java.lang.Runtime', function: 'loadLibrary*' },
      { module: 'java.lang.System', function: 'loadLibrary' },
    ],
  },
};

/** Frameworks that call a user's code or are called by it. */
export const JVM_FRAMEWORKS: readonly StackTraceRule[] = [
  ...rules(
    {
      modules: [
        'akka.*',
        'com.fasterxml.*',
        'com.microsoft.*',
        'com.sun.*',
        'feign.*',
        'io.opentelemetry.*',
        'jdk.*',
        'oauth.*',
        'org.apache.*',
        'org.glassfish.*',
        'org.jboss.*',
        'org.jdesktop.*',
        'org.postgresql.*',
        'org.springframework.*',
        'org.web3j.*',
        'reactor.core.*',
        'scala.*',
        'sun.*',
      ],
    },
    [inCategory('framework')],
  ),
  ...rules({ modules: ['io.sentry.*'] }, [inCategory('framework'), NOT_GROUPED]),
];

export const KOTLIN_RULES: readonly StackTraceRule[] = rules(
  { modules: ['io.ktor.*', 'io.netty.*', 'kotlin.*', 'kotlinx.*'] },
  [NOT_APP],
);
