/// How the page looks: light or dark as the reader's computer is, and on paper.
enum ReportStyle {
  static let text = """
    :root {
      --paper: #faf9f7; --card: #ffffff; --ink: #22252b; --soft: #6b7078; --line: #e4e2dd; --bar: #2f6f8f;
      --ended: #2a8f74; --skipped: #d9902f; --chosen: #4a7fc1; --stopped: #8a8f99; --unplugged: #b5567d;
      --idle: #c9c6bd; --failed: #c23b2e;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --paper: #16181c; --card: #1f2228; --ink: #e8e6e1; --soft: #9a9fa8; --line: #333841; --bar: #5fa8cc;
        --ended: #45b897; --skipped: #e3a655; --chosen: #6f9fe0; --stopped: #7d838e; --unplugged: #d37ba0;
        --idle: #555a63; --failed: #e2675a;
      }
    }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--paper); color: var(--ink);
      font: 16px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
    main { max-width: 860px; margin: 0 auto; padding: 40px 24px 56px; }
    h1 { font-size: 30px; line-height: 1.2; margin: 0; letter-spacing: -0.01em; }
    h2 { font-size: 19px; margin: 0 0 12px; }
    h3 { font-size: 16px; margin: 0; overflow-wrap: anywhere; }
    header p { margin: 4px 0 0; color: var(--soft); }
    section { margin-top: 32px; }
    .cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(148px, 1fr)); gap: 12px; }
    .card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 14px 16px; }
    .card b { display: block; font-size: 24px; line-height: 1.25; font-variant-numeric: tabular-nums;
      overflow-wrap: anywhere; }
    .card.long b { font-size: 17px; line-height: 1.76; display: -webkit-box; -webkit-line-clamp: 2;
      -webkit-box-orient: vertical; overflow: hidden; }
    .card.small b { font-size: 19px; }
    .card.trouble b { color: var(--failed); }
    .card span { color: var(--soft); font-size: 14px; }
    .chart { display: block; width: 100%; height: auto; background: var(--card); border: 1px solid var(--line);
      border-radius: 10px; padding: 12px 16px 6px 6px; overflow: visible; }
    .chart text { fill: var(--soft); font-size: 12px; }
    .chart .tick { text-anchor: end; } .chart .label { text-anchor: middle; }
    .chart .grid { stroke: var(--line); stroke-width: 1; }
    .bar rect { fill: var(--bar); } .bar .room { fill: transparent; }
    .bar:hover rect { opacity: 0.75; } .bar:hover .room { fill: var(--line); opacity: 0.6; }
    .note, footer { color: var(--soft); font-size: 14px; }
    .legend { display: flex; flex-wrap: wrap; gap: 4px 16px; list-style: none; padding: 0; margin: 0 0 12px;
      color: var(--soft); font-size: 14px; }
    .legend i { display: inline-block; width: 11px; height: 11px; border-radius: 3px; margin-right: 6px; }
    article { display: grid; grid-template-columns: minmax(0, 1.2fr) minmax(0, 1fr) minmax(0, 1fr); gap: 2px 24px;
      background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 14px 16px;
      margin-bottom: 10px; break-inside: avoid; }
    .title { grid-column: 1; } .file { margin: 0; color: var(--soft); font-size: 12px; overflow-wrap: anywhere; }
    .count { grid-column: 1; color: var(--soft); font-size: 14px; }
    .count b { color: var(--ink); }
    .meter { height: 6px; border-radius: 3px; background: var(--line); margin: 8px 0 6px; overflow: hidden; }
    .meter i { display: block; height: 100%; background: var(--bar); }
    figure { margin: 0; grid-row: 1 / span 2; } figure:nth-of-type(1) { grid-column: 2; }
    figure:nth-of-type(2) { grid-column: 3; }
    figcaption, .words, .none { color: var(--soft); font-size: 12px; margin: 0 0 4px; }
    .words { margin: 4px 0 0; } .words span { white-space: nowrap; }
    .curve { display: block; width: 100%; height: 44px; border-bottom: 1px solid var(--soft); }
    .curve path { fill: var(--bar); opacity: 0.85; }
    .curve line { stroke: var(--paper); stroke-width: 1; opacity: 0.6; }
    .stack { display: flex; height: 22px; border-radius: 5px; overflow: hidden; gap: 1px; margin-top: 2px; }
    .stack i { display: block; }
    .ended { background: var(--ended); } .skipped { background: var(--skipped); } .chosen { background: var(--chosen); }
    .stopped { background: var(--stopped); } .unplugged { background: var(--unplugged); }
    .idle { background: var(--idle); } .failed { background: var(--failed); }
    .axis { display: flex; justify-content: space-between; color: var(--soft); font-size: 12px; margin: 2px 0 0; }
    .sums { list-style: none; margin: 0; padding: 6px 16px; background: var(--card); border: 1px solid var(--line);
      border-radius: 10px; }
    .sums li { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 0.8fr) minmax(0, 1.4fr); gap: 4px 16px;
      align-items: center; padding: 6px 0; overflow-wrap: anywhere; }
    .sums li + li { border-top: 1px solid var(--line); }
    .sums span { color: var(--soft); font-size: 14px; } .sums .meter { margin: 0; }
    summary { cursor: pointer; padding: 8px 0 12px; color: var(--soft); }
    footer { margin-top: 36px; border-top: 1px solid var(--line); padding-top: 8px; } footer p { margin: 8px 0 0; }
    @media (max-width: 640px) {
      main { padding: 24px 16px 40px; }
      .chart { padding: 10px 8px 6px 4px; } .chart text { font-size: 22px; } .chart .minor { display: none; }
      .sums li { grid-template-columns: minmax(0, 1fr); }
      article { grid-template-columns: minmax(0, 1fr); gap: 10px; }
      figure, figure:nth-of-type(1), figure:nth-of-type(2) { grid-row: auto; grid-column: 1; }
    }
    @media print {
      :root { --paper: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #ccc; --bar: #2f6f8f;
        --ended: #2a8f74; --skipped: #d9902f; --chosen: #4a7fc1; --stopped: #8a8f99; --unplugged: #b5567d;
        --idle: #c9c6bd; --failed: #c23b2e; }
      * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      body { font-size: 12px; } main { max-width: none; padding: 0; }
      section, .card { break-inside: avoid; } section:has(.tracks) { break-inside: auto; }
    }
    """
}
