import Jukebox

/// The panel on a small screen: the most important lines, without frame and picture.
extension PanelView {
  /// A line and its rank, which is unique: where rows are missing, the highest ranks are left out.
  private struct Item {
    var rank: Int
    var line: PanelLine
  }

  func compact(_ state: PanelState, _ columns: Int, _ rows: Int) -> [PanelLine] {
    let items = rows == 1 ? [Item(rank: 0, line: single(state, columns))] : self.items(state, columns)
    let limit = items.map(\.rank).sorted().dropFirst(rows).first ?? .max
    var lines = items.filter { $0.rank < limit }.map(\.line)
    let left = rows - lines.count
    if state.showsHelp {
      lines += state.help.prefix(left).map { PanelLine($0) }
    } else {
      lines += state.log.suffix(left).map(logLine)
    }
    return lines.map { $0.cut(to: columns, ellipsis: glyphs.ellipsis) }
  }

  private func items(_ state: PanelState, _ columns: Int) -> [Item] {
    var title = PanelLine(state.status.track.map { "\($0)/\(state.status.trackCount) " } ?? "")
    title.add(clean(state.titleWords(dash: glyphs.dash)), .bold)
    var items = [Item(rank: 0, line: lampAndState(state)), Item(rank: 1, line: title)]
    if state.status.isPromptShown {
      items.insert(Item(rank: -1, line: PanelLine(state.promptWords(columns: columns), .inverse)), at: 1)
    } else if !state.message.isEmpty {
      items.append(Item(rank: 5, line: PanelLine(clean(state.message), .bold)))
    }
    let time = PanelLine(state.timeWords)
    items.append(Item(rank: 2, line: labelled("Time   ", { bar(state.progress, $0) }, time, columns)))
    items.append(Item(rank: 3, line: labelled("Volume ", { volumeBar(state, $0) }, volumeLine(state), columns)))
    let session = sessionLine(state, columns)
    if session.width > 0 { items.append(Item(rank: 4, line: session)) }
    for (index, line) in portList(state, columns).enumerated() { items.append(Item(rank: 7 + index, line: line)) }
    let last = items.count + 7
    for (index, line) in signalRows(state, columns).enumerated() { items.append(Item(rank: last + index, line: line)) }
    items.append(Item(rank: 6, line: compactKeys(state, columns)))
    return items
  }

  /// The keys with their actions where they fit, else the keys alone: the key to quit must always be shown.
  private func compactKeys(_ state: PanelState, _ columns: Int) -> PanelLine {
    let keys: [(key: PanelKey, sign: String, does: String)] =
      [
        (.play, "p", "play"), (.stop, "s", "stop"), (.volumeUp, "-/+", "vol"), (.next, "n", "next"),
        (.record, "r", "rec"), (.cue, "c", "cue"), (.headphones, "h", "jack"), (.dock, "d", "dock"),
        (.page, "g", "page"), (.mute, "m", "mute"), (.coin, "$", "coin"),
      ] + ownKeys(state) + [(.help, "?", "help"), (.quit, "q", "quit")]
    let line = keyCells(state, keys, gap: 1)
    return line.width <= columns ? line : keyCells(state, keys.map { ($0.key, $0.sign, "") }, gap: 1)
  }

  private func lampAndState(_ state: PanelState) -> PanelLine {
    var line = PanelLine()
    // While a recording runs, its own mark is shown instead: the lamp is lit then.
    if state.recordingClock == nil { line.add((state.isLampLit ? glyphs.lampLit : glyphs.lampDark) + " ", .accent) }
    line.add(stateLine(state))
    return line
  }

  private func labelled(_ label: String, _ bar: (Int) -> PanelLine, _ words: PanelLine, _ columns: Int) -> PanelLine {
    let room = columns - label.utf8.count - words.width - 1
    var line = PanelLine(label)
    if room >= 5 {
      line.add(bar(min(room, 40)))
      line.add(" ")
    }
    line.add(words)
    return line
  }

  /// The whole state in one line, the most important first.
  private func single(_ state: PanelState, _ columns: Int) -> PanelLine {
    if state.status.isPromptShown { return PanelLine(state.promptWords(columns: columns), .inverse) }
    var line = lampAndState(state)
    if state.recordingClock == nil { line.add(" \(state.timeWords.split(separator: " ").first ?? "")") }
    line.add(" vol \(state.status.volume.map(String.init) ?? "-")\(state.status.isDucked ? " DUCKED" : "")")
    line.add(" \(state.status.route)")
    line.add(" " + clean(state.titleWords(dash: glyphs.dash)), .bold)
    return line
  }
}
