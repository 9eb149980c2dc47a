import type { Snippets } from './snippet.ts';

export const JVM_SNIPPETS: Snippets = {
  java: (dsn) => [
    {
      title: 'Install',
      hint: 'For Maven. With Gradle, use implementation("io.sentry:sentry:8.43.1")',
      text: `<dependency>
  <groupId>io.sentry</groupId>
  <artifactId>sentry</artifactId>
  <version>8.43.1</version>
</dependency>`,
    },
    {
      title: 'Initialize and verify',
      hint: 'Run the program.',
      file: 'Main.java',
      text: `import io.sentry.Sentry;

public class Main {
  public static void main(String[] args) {
    Sentry.init(options -> {
      options.setDsn("${dsn}");
    });

    throw new IllegalStateException("Hello from Java");
  }
}`,
    },
  ],
  'java-spring-boot': (dsn) => [
    {
      title: 'Install',
      hint: 'Spring Boot 3. For Spring Boot 4, use sentry-spring-boot-4.',
      text: `<dependency>
  <groupId>io.sentry</groupId>
  <artifactId>sentry-spring-boot-starter-jakarta</artifactId>
  <version>8.43.1</version>
</dependency>`,
    },
    { title: 'Initialize', hint: 'Add this to application.properties.', text: `sentry.dsn=${dsn}` },
    {
      title: 'Verify',
      hint: 'Open /break.',
      text: `@RestController
class BreakController {
  @GetMapping("/break")
  String breakTheWorld() {
    throw new IllegalStateException("Hello from Spring Boot");
  }
}`,
    },
  ],
};
