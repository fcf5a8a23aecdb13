import AudioSession
import Jukebox

/// The panel on a screen of normal size: the cabinet with its frame, ports, keys and log.
extension PanelView {
  func full(_ state: PanelState, _ columns: Int, _ rows: Int) -> [PanelLine] {
    let inner = columns - 4
    let ports = portRows(state, inner)
    var lines = [top(state, columns)]
    lines += player(state, inner).map { framed($0, columns) }
    lines.append(rule("Outputs", columns))
    lines += (ports + signalRows(state, inner)).map { framed($0, columns) }
    lines.append(framed(notice(state, inner), columns))
    lines.append(rule("Keys", columns))
    lines += keys(state, inner).map { framed($0, columns) }
    let left = rows - lines.count - 1
    if left >= 2 {
      lines.append(rule(state.showsHelp ? "Help" : "Log", columns))
      lines += bottomPane(state, left - 1).map { framed($0, columns) }
    }
    lines.append(edge(glyphs.frame, 2, "", "", columns))
    return lines
  }

  // MARK: - Frame

  private func top(_ state: PanelState, _ columns: Int) -> PanelLine {
    let rate = Double(state.board.rate) / 1_000
    let thousands = rate == rate.rounded() ? String(Int(rate)) : String(rate)
    let output = state.output.isEmpty ? "" : ", \(state.output)"
    return edge(
      glyphs.frame, 0, "JACKDAW", "\(clean(state.board.name)), \(thousands) kHz\(clean(output))", columns)
  }

  /// The upper (`corner` 0) or lower (2) edge of a box, with text in it at the left and, where it fits, at the right.
  func edge(_ box: PanelGlyphs.Box, _ corner: Int, _ left: String, _ right: String, _ columns: Int) -> PanelLine {
    edge([box.corners[corner], box.across, box.corners[corner + 1]], left, right, columns)
  }

  private func rule(_ title: String, _ columns: Int) -> PanelLine {
    edge([glyphs.joints[0], glyphs.frame.across, glyphs.joints[1]], title, "", columns)
  }

  private func edge(_ parts: [String], _ left: String, _ right: String, _ columns: Int) -> PanelLine {
    var line = PanelLine(parts[0] + (left.isEmpty ? "" : "\(parts[1]) "))
    line.add(left, .bold)
    if !left.isEmpty { line.add(" ") }
    var end = PanelLine(right.isEmpty ? "" : " ").cut(to: max(0, columns), ellipsis: "")
    end.add(PanelLine(right).cut(to: max(0, columns - line.width - 6), ellipsis: glyphs.ellipsis))
    end.add((right.isEmpty ? "" : " \(parts[1])") + parts[2])
    line.add(String(repeating: parts[1], count: max(0, columns - line.width - end.width)))
    line.add(end)
    return line
  }

  private func framed(_ line: PanelLine, _ columns: Int) -> PanelLine {
    var framed = PanelLine(glyphs.frame.down + " ")
    framed.add(line.fitted(to: columns - 4, ellipsis: glyphs.ellipsis))
    framed.add(" " + glyphs.frame.down)
    return framed
  }

  // MARK: - Player

  /// The cabinet with its lamp, and the current track beside it.
  private func player(_ state: PanelState, _ columns: Int) -> [PanelLine] {
    let cabinet = cabinet(state)
    let room = columns - (cabinet.first?.width ?? 0) - 3
    let time = PanelLine(state.timeWords)
    var progress = bar(state.progress, room - time.width - 2)
    progress.add("  ")
    progress.add(time)
    let words = volumeLine(state)
    var volume = PanelLine("Volume  ")
    volume.add(volumeBar(state, max(0, min(50, room / 2, room - volume.width - 2 - words.width))))
    volume.add("  ")
    volume.add(words)
    let track = PanelLine(state.trackWords)
    let details = [
      PanelLine.ends(stateLine(state), PanelLine(state.lampWord), room, ellipsis: glyphs.ellipsis),
      PanelLine.ends(track, sessionLine(state, room - track.width - 2), room, ellipsis: glyphs.ellipsis),
      PanelLine(clean(state.titleWords(dash: glyphs.dash)), .bold), progress, volume,
    ]
    return zip(cabinet, details).map { picture, detail in
      var line = picture
      line.add("   ")
      line.add(detail.fitted(to: room, ellipsis: glyphs.ellipsis))
      return line
    }
  }

  private func cabinet(_ state: PanelState) -> [PanelLine] {
    let mechanism: String
    switch state.status.state {
    case .playing:
      mechanism = glyphs.playing[Int(max(0, state.now.nanoseconds) / 250_000_000) % glyphs.playing.count]
    case .paused: mechanism = glyphs.paused
    case .stopped, .recording: mechanism = glyphs.stopped
    }
    return glyphs.cabinet.map { row in
      var line = PanelLine()
      for character in row {
        switch character {
        case "%": line.add(state.isLampLit ? glyphs.lampLit : glyphs.lampDark, .accent)
        case "@": line.add(mechanism)
        default: line.add(String(character))
        }
      }
      return line
    }
  }

  // MARK: - Prompt, keys, log

  /// The prompt where there is one, else the message.
  private func notice(_ state: PanelState, _ columns: Int) -> PanelLine {
    guard state.status.isPromptShown else { return PanelLine(clean(state.message), .bold) }
    let arrows = colour ? (" ", " ") : (">>> ", " <<<")
    let room = columns - TerminalText.width(arrows.0 + arrows.1)
    let line = PanelLine(arrows.0 + clean(state.promptWords(columns: room)) + arrows.1, .inverse)
    return line.fitted(to: columns, ellipsis: glyphs.ellipsis, fill: colour ? .inverse : .plain)
  }

  private typealias Key = (key: PanelKey, sign: String, does: String)

  /// The keys of every board, and in a row of their own those of this one.
  private func keys(_ state: PanelState, _ columns: Int) -> [PanelLine] {
    let own = ownKeys(state)
    return commonKeys(state, columns).filter { $0.width > 0 } + (own.isEmpty ? [] : [keyCells(state, own, gap: 2)])
  }

  /// Two rows of keys, in whole words as far apart as they fit; in short words where they do not.
  private func commonKeys(_ state: PanelState, _ columns: Int) -> [PanelLine] {
    let whole: [[Key]] = [
      [
        (.play, "p", "play/pause"), (.stop, "s", "stop"), (.previous, "b/n", "previous/next"),
        (.volumeUp, "-/+", "volume"), (.record, "r", "record"), (.cue, "c", "cue"),
      ],
      [
        (.headphones, "h", "headphones"), (.dock, "d", "dock"), (.page, "g", "page"), (.mute, "m", "mute"),
        (.coin, "$", "coin"), (.help, "?", "help"), (.redraw, "l", "redraw"), (.quit, "q", "quit"),
      ],
    ]
    for gap in [4, 3, 2] {
      let rows = whole.map { keyCells(state, $0, gap: gap) }
      if rows.allSatisfy({ $0.width <= columns }) { return rows }
    }
    let short: [[Key]] = [
      [
        (.play, "p", "play"), (.stop, "s", "stop"), (.previous, "b/n", "tracks"), (.volumeUp, "-/+", "volume"),
        (.record, "r", "rec"), (.cue, "c", "cue"),
      ],
      [
        (.headphones, "h", "jack"), (.dock, "d", "dock"), (.page, "g", "page"), (.mute, "m", "mute"),
        (.coin, "$", "coin"), (.help, "?", "help"), (.redraw, "l", "redraw"), (.quit, "q", "quit"),
      ],
    ]
    return short.map { keyCells(state, $0, gap: 2) }
  }

  private func bottomPane(_ state: PanelState, _ rows: Int) -> [PanelLine] {
    let shown =
      state.showsHelp ? state.help.prefix(rows).map { PanelLine($0) } : state.log.suffix(rows).map(logLine)
    return shown + Array(repeating: PanelLine(), count: max(0, rows - shown.count))
  }
}
