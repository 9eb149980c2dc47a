import type { Snippets } from './snippet.ts';

export const DOTNET_SNIPPETS: Snippets = {
  dotnet: (dsn) => [
    { title: 'Install', text: 'dotnet add package Sentry' },
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
    { title: 'Verify', text: 'dotnet run' },
  ],
  'dotnet-aspnetcore': (dsn) => [
    { title: 'Install', text: 'dotnet add package Sentry.AspNetCore' },
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
    {
      title: 'Verify',
      hint: 'Start the app, then open /break at the printed URL.',
      text: 'dotnet run',
    },
  ],
};
