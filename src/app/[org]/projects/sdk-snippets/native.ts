import type { Snippets } from './snippet.ts';

export const NATIVE_SNIPPETS: Snippets = {
  go: (dsn) => [
    {
      title: 'Install',
      hint: 'Run this in your module folder. Use go mod init to create one.',
      text: 'go get github.com/getsentry/sentry-go@latest',
    },
    {
      title: 'Initialize',
      file: 'main.go',
      text: `package main

import (
	"errors"
	"log"
	"time"

	"github.com/getsentry/sentry-go"
)

func main() {
	err := sentry.Init(sentry.ClientOptions{
		Dsn:              "${dsn}",
		AttachStacktrace: true,
	})
	if err != nil {
		log.Fatalf("sentry.Init: %s", err)
	}
	// Wait for buffered events to be sent.
	defer sentry.Flush(2 * time.Second)

	sentry.CaptureException(errors.New("Hello from Go"))
}`,
    },
    { title: 'Verify', text: 'go run .' },
  ],
  rust: (dsn) => [
    { title: 'Install', text: 'cargo add sentry' },
    {
      title: 'Initialize',
      file: 'src/main.rs',
      text: `fn main() {
    let _guard = sentry::init((
        "${dsn}",
        sentry::ClientOptions {
            release: sentry::release_name!(),
            ..Default::default()
        },
    ));

    panic!("Hello from Rust");
}`,
    },
    { title: 'Verify', text: 'cargo run' },
  ],
};
