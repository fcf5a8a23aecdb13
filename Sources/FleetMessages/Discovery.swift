import AudioSession
import JSON

/// The message by which Home Assistant (2024.11 or later) finds a board and its entities by itself (F7). Names of entities
/// and their `uniq_id` stay forever: automations depend on them.
enum Discovery {
  /// The events that automations can wait for.
  static let events = [
    "boot", "port.connected", "port.disconnected", "playback.started", "playback.paused", "playback.resumed",
    "playback.stopped", "track.started", "track.ended", "track.failed", "prompt.shown", "prompt.expired",
    "interruption.began", "interruption.ended", "recording.started", "recording.stopped", "output.lost",
    "output.restored", "storage.lost", "library.missing", "library.empty", "line.stuck", "shutdown",
  ]

  /// The entities that not every board has, and their platforms. Home Assistant keeps one that is left out, and removes
  /// one that has nothing but its platform. `playlist` is not among them: while a stick is out there is none. Only a
  /// board that takes no command never has it.
  static let optional =
    [
      ("hours_state", "sensor"), ("requests_waiting", "sensor"), ("credits", "sensor"), ("volume", "number"),
      ("route", "select"), ("play", "button"), ("pause", "button"), ("stop", "button"), ("next", "button"),
      ("page", "button"), ("page_end", "button"), ("look", "button"), ("sleep", "number"), ("sleep_track", "button"),
      ("hours", "select"), ("clear_requests", "button"),
    ] + Port.allCases.map { ("plug_\($0.rawValue)", "binary_sensor") }

  static func payload(_ options: FleetOptions, board: JSONValue, state: JSONValue) -> String {
    let topics = FleetTopics(options)
    var availability: [JSONValue] = [["t": .string(topics["status"])]]
    if !options.isDirect {
      availability.append(["t": .string(topics["link"]), "pl_avail": "1", "pl_not_avail": "0"])
    }
    let message: JSONValue = [
      "dev": [
        "ids": .strings(["jackdaw_\(options.id)"]), "name": .string(options.name), "mf": "Jackdaw",
        "mdl": board["board"] ?? "", "sw": board["version"] ?? "", "sn": .string(options.id),
      ],
      "o": ["name": "jackdaw-fleet", "sw": .string(options.version)],
      "avty": .array(availability), "avty_mode": "all", "qos": .integer(1),
      "cmps": .object(entities(options, topics, board, state)),
    ]
    return message.text
  }

  private static func entities(
    _ options: FleetOptions, _ topics: FleetTopics, _ board: JSONValue, _ state: JSONValue
  ) -> [JSONValue.Member] {
    var all =
      sensors(topics) + hours(topics, state) + requests(topics, state) + counts(topics) + diagnostics(topics)
      + updates(options, topics) + plugs(topics, board)
    if !options.tellsOnly {
      all += controls(options, topics, board, state) + sleep(topics) + hoursControls(topics, state)
      all += requestControls(topics, state)
    }
    let names = Set(all.map(\.name))
    let absent = optional + (options.tellsOnly ? [("playlist", "select")] : [])
    return all.map { name, platform, entity in
      let head: [JSONValue.Member] = [
        .init("p", .string(platform)), .init("uniq_id", .string("jackdaw_\(options.id)_\(name)")),
      ]
      return .init(name, .object(head + entity.members))
    } + absent.filter { !names.contains($0.0) }.map { .init($0.0, ["p": .string($0.1)]) }
  }

  typealias Entity = (name: String, platform: String, JSONValue)

  /// What plays, and what happens.
  private static func sensors(_ topics: FleetTopics) -> [Entity] {
    let state = JSONValue.string(topics["state"])
    return [
      (
        "state", "sensor",
        [
          "name": "State", "stat_t": state, "val_tpl": "{{ value_json.state }}", "dev_cla": "enum",
          "ops": .strings(["stopped", "playing", "paused", "recording"]),
        ]
      ),
      (
        "track", "sensor",
        [
          "name": "Track", "stat_t": state, "ic": "mdi:music-note",
          "val_tpl": "{{ (value_json.title or value_json.file or '')[:255] }}",
        ]
      ),
      (
        "event", "event",
        [
          "name": "Event", "stat_t": .string(topics["event"]), "evt_typ": .strings(events),
          "val_tpl": .string(
            "{% if value_json.event in \(JSONValue.strings(events).text) %}"
              + "{{ {'event_type': value_json.event, 'fields': value_json.fields, 'boot': value_json.boot, "
              + "'uptime': value_json.uptime | default(none), 'utc': value_json.utc | default(none)} | to_json }}{% endif %}"
          ),
        ]
      ),
    ]
  }

  /// How many came today, and what they heard; `period` says which day that is.
  private static func counts(_ topics: FleetTopics) -> [Entity] {
    [("visits", "Visits", "mdi:account-multiple"), ("listens", "Listens", "mdi:headphones")].map { name, title, icon in
      (
        name, "sensor",
        [
          "name": .string(title), "stat_t": .string(topics["state"]), "ic": .string(icon),
          "stat_cla": "total_increasing",
          "val_tpl": .string("{{ value_json.today.\(name) if value_json.today else 'None' }}"),
          "json_attr_t": .string(topics["state"]),
          "json_attr_tpl": "{{ value_json.today | default({}, true) | to_json }}",
        ]
      )
    }
  }

  /// How the board fares.
  private static func diagnostics(_ topics: FleetTopics) -> [Entity] {
    let health = JSONValue.string(topics["health"])
    return [
      (
        "temperature", "sensor",
        [
          "name": "Temperature", "stat_t": health, "dev_cla": "temperature", "unit_of_meas": "°C",
          "stat_cla": "measurement", "ent_cat": "diagnostic",
          "val_tpl": "{{ value_json.temperature | default('None') }}",
        ]
      ),
      (
        "problem", "binary_sensor",
        [
          "name": "Problem", "stat_t": health, "dev_cla": "problem", "ent_cat": "diagnostic",
          "val_tpl": "{{ 'ON' if value_json.problem else 'OFF' }}",
        ]
      ),
    ]
  }

  /// What is installed, and whether there is something newer; installing it begins with looking for it.
  private static func updates(_ options: FleetOptions, _ topics: FleetTopics) -> [Entity] {
    let versions = [
      (
        "software", "Software", "info", "update",
        "{% set name = value_json.version %}"
      ),
      (
        "exhibition", "Exhibition", "content", "content",
        "{% set name = value_json.exhibition or 'none' %}"
      ),
    ]
    return versions.map { name, title, told, verb, installed in
      var members: [JSONValue.Member] = [
        .init("name", .string(title)), .init("stat_t", .string(topics[told])), .init("ent_cat", "diagnostic"),
        .init(
          "val_tpl",
          .string(
            installed
              + "{{ {'installed_version': name, 'latest_version': value_json.get('latest') or name} | to_json }}")),
      ]
      if options.canLook, !options.tellsOnly {
        members += [.init("cmd_t", .string(topics["set/\(verb)"])), .init("pl_inst", "install")]
      }
      return (name, "update", .object(members))
    }
  }

  private static func plugs(_ topics: FleetTopics, _ board: JSONValue) -> [Entity] {
    let sensed = (board["ports"]?.elements ?? []).filter { $0["sensed"]?.bool == true }
    return sensed.compactMap { $0["port"]?.string }.map { name in
      (
        "plug_\(name)", "binary_sensor",
        [
          "name": .string("Plug \(name)"), "stat_t": .string(topics["state"]), "dev_cla": "plug",
          "val_tpl": .string("{{ 'ON' if '\(name)' in value_json.connected else 'OFF' }}"),
        ]
      )
    }
  }

  private static func controls(
    _ options: FleetOptions, _ topics: FleetTopics, _ board: JSONValue, _ state: JSONValue
  ) -> [Entity] {
    let ports = board["ports"]?.elements ?? []
    let ceiling = ports.compactMap { $0["ceiling"]?.integer }.max() ?? 100
    var all: [Entity] = [
      (
        "volume", "number",
        [
          "name": "Volume", "stat_t": .string(topics["state"]), "cmd_t": .string(topics["set/volume"]),
          "val_tpl": "{{ value_json.volume if value_json.volume is not none else 'None' }}",
          "min": .integer(0), "max": .integer(ceiling), "step": .integer(1), "ic": "mdi:volume-high",
        ]
      ),
      choice(
        "route", "Route", topics, ["auto"] + ports.compactMap { $0["port"]?.string },
        value: "{{ value_json.route or 'auto' }}"),
    ]
    // What could not be given as a command is no choice.
    let playlists = (state["playlists"]?.strings ?? []).filter { FleetCommand.takes("playlist", $0) }
    if !playlists.isEmpty {
      // Home Assistant reports a value that is none of the options as an error.
      let value = "{{ value_json.playlist if value_json.playlist in value_json.playlists else 'None' }}"
      all.append(choice("playlist", "Playlist", topics, playlists, value: value))
    }
    for (name, title, verb, payload) in [
      ("play", "Play", "play", "press"), ("pause", "Pause", "pause", "press"), ("stop", "Stop", "stop", "press"),
      ("next", "Next", "next", "press"), ("page", "Page", "page", "begin"), ("page_end", "End page", "page", "end"),
    ] {
      all.append(
        (
          name, "button",
          ["name": .string(title), "cmd_t": .string(topics["set/\(verb)"]), "pl_prs": .string(payload)]
        ))
    }
    if options.canLook {
      all.append(
        (
          "look", "button",
          [
            "name": "Look for content", "cmd_t": .string(topics["set/content"]), "pl_prs": "press",
            "ent_cat": "config",
          ]
        ))
    }
    return all
  }

  /// - Parameter value: the template of what the state says of it.
  private static func choice(
    _ name: String, _ title: String, _ topics: FleetTopics, _ options: [String], value: String
  ) -> Entity {
    (
      name, "select",
      [
        "name": .string(title), "stat_t": .string(topics["state"]), "cmd_t": .string(topics["set/\(name)"]),
        "val_tpl": .string(value), "ops": .strings(options),
      ]
    )
  }
}
