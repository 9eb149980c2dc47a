import { DOTNET_SYMBOLS } from './readable-traces.ts';
import { type Guide, type Guides, install, startAndOpen, verify } from './snippet.ts';

/** A desktop framework: `text` is the part of `into` that starts the SDK. */
const desktop = (docs: string, name: string, into: string, text: (dsn: string) => string): Guide => ({
  docs: `dotnet/guides/${docs}/`,
  traces: DOTNET_SYMBOLS,
  steps: (dsn) => [
    install('dotnet add package Sentry'),
    { title: 'Initialize', into, text: text(dsn) },
    verify(
      `throw new InvalidOperationException("Hello from ${name}");`,
      'Throw this when a button is clicked.',
    ),
  ],
});

export const DOTNET_GUIDES: Guides = {
  dotnet: {
    docs: 'dotnet/',
    traces: DOTNET_SYMBOLS,
    steps: (dsn) => [
      install('dotnet add package Sentry'),
      {
        title: 'Initialize',
        file: 'Program.cs',
        text: `using Sentry;

using var _ = SentrySdk.Init(options =>
{
    options.Dsn = "${dsn}";
});

throw new InvalidOperationException("Hello from .NET");`,
      },
      verify('dotnet run'),
    ],
  },
  'dotnet-aspnetcore': {
    docs: 'dotnet/guides/aspnetcore/',
    traces: DOTNET_SYMBOLS,
    steps: (dsn) => [
      install('dotnet add package Sentry.AspNetCore'),
      {
        title: 'Initialize',
        file: 'Program.cs',
        text: `var builder = WebApplication.CreateBuilder(args);
builder.WebHost.UseSentry(options =>
{
    options.Dsn = "${dsn}";
});

var app = builder.Build();
app.MapGet("/break", string () => throw new InvalidOperationException("Hello from ASP.NET Core"));
app.Run();`,
      },
      startAndOpen('dotnet run --urls http://localhost:5000', 'http://localhost:5000/break'),
    ],
  },
  'dotnet-maui': {
    docs: 'dotnet/guides/maui/',
    traces: DOTNET_SYMBOLS,
    steps: (dsn) => [
      install('dotnet add package Sentry.Maui'),
      {
        title: 'Initialize',
        into: 'MauiProgram.cs',
        text: `var builder = MauiApp.CreateBuilder();
builder
    .UseMauiApp<App>()
    .UseSentry(options =>
    {
        options.Dsn = "${dsn}";
    });`,
      },
      verify(
        'throw new InvalidOperationException("Hello from .NET MAUI");',
        'Throw this when a button is clicked.',
      ),
    ],
  },
  'dotnet-wpf': desktop(
    'wpf',
    'WPF',
    'App.xaml.cs',
    (dsn) => `public partial class App : Application
{
    public App()
    {
        SentrySdk.Init(options =>
        {
            options.Dsn = "${dsn}";
            options.IsGlobalModeEnabled = true;
        });
        DispatcherUnhandledException += (_, args) => SentrySdk.CaptureException(args.Exception);
    }
}`,
  ),
  'dotnet-winforms': desktop(
    'winforms',
    'Windows Forms',
    'Program.cs',
    (dsn) => `// Unhandled exceptions have to reach the SDK instead of a dialog.
Application.SetUnhandledExceptionMode(UnhandledExceptionMode.ThrowException);

using var _ = SentrySdk.Init(options =>
{
    options.Dsn = "${dsn}";
    options.IsGlobalModeEnabled = true;
});`,
  ),
  powershell: {
    docs: 'powershell/',
    traces: null,
    steps: (dsn) => [
      install('Install-Module -Name Sentry -Repository PSGallery -Force'),
      {
        title: 'Initialize',
        file: 'script.ps1',
        text: `Import-Module Sentry

Start-Sentry {
    $_.Dsn = '${dsn}'
}

try {
    throw 'Hello from PowerShell'
} catch {
    $_ | Out-Sentry
}`,
      },
      verify('pwsh ./script.ps1'),
    ],
  },
};
