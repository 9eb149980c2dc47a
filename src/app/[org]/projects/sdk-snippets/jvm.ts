import { R8_MAPPINGS } from './readable-traces.ts';
import { type Guides, install, type SnippetStep, startAndOpen, verify } from './snippet.ts';

/** Of all artifacts; any newer 8.x works the same. */
const SENTRY_VERSION = '8.43.1';

const dependency = (artifact: string): SnippetStep => ({
  title: 'Install',
  hint: `For Maven. With Gradle, use implementation("io.sentry:${artifact}:${SENTRY_VERSION}").`,
  into: 'pom.xml',
  text: `<dependency>
  <groupId>io.sentry</groupId>
  <artifactId>${artifact}</artifactId>
  <version>${SENTRY_VERSION}</version>
</dependency>`,
});

const springController = (name: string): SnippetStep => ({
  title: 'Add a route that fails',
  file: 'src/main/java/com/example/BreakController.java',
  text: `package com.example;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class BreakController {
  @GetMapping("/break")
  String breakTheWorld() {
    throw new IllegalStateException("Hello from ${name}");
  }
}`,
});

export const JVM_GUIDES: Guides = {
  java: {
    docs: 'java/',
    traces: R8_MAPPINGS,
    steps: (dsn) => [
      dependency('sentry'),
      {
        title: 'Initialize',
        file: 'src/main/java/com/example/Main.java',
        text: `package com.example;

import io.sentry.Sentry;

public class Main {
  public static void main(String[] args) {
    Sentry.init(options -> {
      options.setDsn("${dsn}");
    });

    Sentry.captureException(new IllegalStateException("Hello from Java"));
  }
}`,
      },
      verify('mvn compile exec:java -Dexec.mainClass=com.example.Main'),
    ],
  },
  kotlin: {
    docs: 'java/',
    traces: R8_MAPPINGS,
    steps: (dsn) => [
      {
        ...install(`implementation("io.sentry:sentry:${SENTRY_VERSION}")`),
        into: 'build.gradle.kts',
        hint: 'Among the dependencies.',
      },
      {
        title: 'Initialize',
        file: 'src/main/kotlin/Main.kt',
        text: `import io.sentry.Sentry

fun main() {
    Sentry.init { options ->
        options.dsn = "${dsn}"
    }

    error("Hello from Kotlin")
}`,
      },
      verify('./gradlew run'),
    ],
  },
  'java-spring-boot': {
    docs: 'java/guides/spring-boot/',
    traces: null,
    steps: (dsn) => [
      {
        ...dependency('sentry-spring-boot-starter-jakarta'),
        hint: 'For Spring Boot 3. For Spring Boot 4, use sentry-spring-boot-4-starter.',
      },
      {
        title: 'Initialize',
        into: 'src/main/resources/application.properties',
        text: `sentry.dsn=${dsn}`,
      },
      springController('Spring Boot'),
      startAndOpen('mvn spring-boot:run', 'http://localhost:8080/break'),
    ],
  },
  'java-spring': {
    docs: 'java/guides/spring/',
    traces: null,
    steps: (dsn) => [
      {
        ...dependency('sentry-spring-jakarta'),
        hint: 'For Spring 6. For Spring 7, use sentry-spring-7.',
      },
      {
        title: 'Initialize',
        file: 'src/main/java/com/example/SentryConfiguration.java',
        text: `package com.example;

import io.sentry.spring.jakarta.EnableSentry;
import org.springframework.context.annotation.Configuration;

@EnableSentry(dsn = "${dsn}")
@Configuration
class SentryConfiguration {}`,
      },
      springController('Spring'),
      verify('curl http://localhost:8080/break', 'Start the app, then open its route.'),
    ],
  },
  'java-logback': {
    docs: 'java/guides/logback/',
    traces: null,
    steps: (dsn) => [
      dependency('sentry-logback'),
      {
        title: 'Initialize',
        hint: 'Log entries at level error become events, those below become their breadcrumbs.',
        file: 'src/main/resources/logback.xml',
        text: `<configuration>
  <appender name="Sentry" class="io.sentry.logback.SentryAppender">
    <options>
      <dsn>${dsn}</dsn>
    </options>
  </appender>
  <root level="info">
    <appender-ref ref="Sentry" />
  </root>
</configuration>`,
      },
      verify(
        `LoggerFactory.getLogger("app").error("Hello from Logback", new IllegalStateException());`,
        'Log an error.',
      ),
    ],
  },
};
