import { type Guide, type Guides, install, startAndOpen, verify } from './snippet.ts';

const MODULE_HINT = 'Run this in your module folder. Use go mod init to create one.';

/** Tabs, as gofmt writes them. */
const init = (dsn: string): string => `	err := sentry.Init(sentry.ClientOptions{
		Dsn:              "${dsn}",
		AttachStacktrace: true,
	})
	if err != nil {
		log.Fatalf("sentry.Init: %s", err)
	}
	// Wait for buffered events to be sent.
	defer sentry.Flush(2 * time.Second)`;

const mainFile = (dsn: string, imports: readonly string[], body: string): string => {
  const isStandard = (name: string) => !name.includes('.');
  const listed = (names: readonly string[]) => names.map((name) => `	${name}`).join('\n');
  const all = ['"log"', '"time"', '"github.com/getsentry/sentry-go"', ...imports].sort((a, b) =>
    (a.split(' ').at(-1) ?? '') < (b.split(' ').at(-1) ?? '') ? -1 : 1,
  );
  return `package main

import (
${listed(all.filter(isStandard))}

${listed(all.filter((name) => !isStandard(name)))}
)

func main() {
${init(dsn)}

${body}
}`;
};

/** A router that has a middleware of the SDK, and a route /break that panics. */
const web = (
  docs: string,
  {
    packages,
    imports,
    body,
    port,
  }: { packages: string; imports: readonly string[]; body: string; port: number },
): Guide => ({
  docs: `go/guides/${docs}/`,
  traces: null,
  steps: (dsn) => [
    install(`go get github.com/getsentry/sentry-go@latest${packages}`, MODULE_HINT),
    { title: 'Initialize', file: 'main.go', text: mainFile(dsn, imports, body) },
    startAndOpen('go run .', `http://localhost:${port}/break`),
  ],
});

export const GO_GUIDES: Guides = {
  go: {
    docs: 'go/',
    traces: null,
    steps: (dsn) => [
      install('go get github.com/getsentry/sentry-go@latest', MODULE_HINT),
      {
        title: 'Initialize',
        file: 'main.go',
        text: mainFile(dsn, ['"errors"'], '	sentry.CaptureException(errors.New("Hello from Go"))'),
      },
      verify('go run .'),
    ],
  },
  'go-http': web('http', {
    packages: '',
    imports: ['"net/http"', 'sentryhttp "github.com/getsentry/sentry-go/http"'],
    port: 8080,
    body: `	handler := sentryhttp.New(sentryhttp.Options{Repanic: true})
	http.HandleFunc("/break", handler.HandleFunc(func(http.ResponseWriter, *http.Request) {
		panic("Hello from net/http")
	}))
	log.Print(http.ListenAndServe(":8080", nil))`,
  }),
  'go-gin': web('gin', {
    packages: ' github.com/getsentry/sentry-go/gin@latest github.com/gin-gonic/gin@latest',
    imports: ['sentrygin "github.com/getsentry/sentry-go/gin"', '"github.com/gin-gonic/gin"'],
    port: 8080,
    body: `	router := gin.Default()
	router.Use(sentrygin.New(sentrygin.Options{Repanic: true}))
	router.GET("/break", func(*gin.Context) {
		panic("Hello from Gin")
	})
	log.Print(router.Run(":8080"))`,
  }),
  'go-echo': web('echo', {
    packages: ' github.com/getsentry/sentry-go/echo@latest github.com/labstack/echo/v4/middleware@latest',
    imports: [
      'sentryecho "github.com/getsentry/sentry-go/echo"',
      '"github.com/labstack/echo/v4"',
      '"github.com/labstack/echo/v4/middleware"',
    ],
    port: 8080,
    body: `	router := echo.New()
	router.Use(middleware.Recover())
	router.Use(sentryecho.New(sentryecho.Options{Repanic: true}))
	router.GET("/break", func(echo.Context) error {
		panic("Hello from Echo")
	})
	log.Print(router.Start(":8080"))`,
  }),
  'go-fiber': web('fiber', {
    packages: ' github.com/getsentry/sentry-go/fiber@latest github.com/gofiber/fiber/v2@latest',
    imports: [
      'sentryfiber "github.com/getsentry/sentry-go/fiber"',
      '"github.com/gofiber/fiber/v2"',
      '"github.com/gofiber/fiber/v2/middleware/recover"',
    ],
    port: 8080,
    body: `	app := fiber.New()
	app.Use(recover.New())
	app.Use(sentryfiber.New(sentryfiber.Options{Repanic: true}))
	app.Get("/break", func(*fiber.Ctx) error {
		panic("Hello from Fiber")
	})
	log.Print(app.Listen(":8080"))`,
  }),
};
