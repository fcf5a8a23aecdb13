import JSON

/// The entities of opening hours and of the sleep timer (F7).
extension Discovery {
  private static func hasHours(_ state: JSONValue) -> Bool { state["hours"]?["state"] != nil }

  /// Whether it is open; nothing for a board without opening hours. That nobody knows the time is what Home Assistant calls
  /// unknown.
  static func hours(_ topics: FleetTopics, _ state: JSONValue) -> [Entity] {
    guard hasHours(state) else { return [] }
    let topic = JSONValue.string(topics["state"])
    return [
      (
        "hours_state", "sensor",
        [
          "name": "Opening hours", "stat_t": topic, "dev_cla": "enum", "ic": "mdi:clock-outline",
          "ops": .strings(["open", "closing", "closed"]),
          "val_tpl":
            "{{ value_json.hours.state if value_json.hours and value_json.hours.state != 'unknown' else 'None' }}",
          "json_attr_t": topic,
          "json_attr_tpl": "{{ value_json.hours | default({}, true) | to_json }}",
        ]
      )
    ]
  }

  /// What staff says of them, until their next boundary.
  static func hoursControls(_ topics: FleetTopics, _ state: JSONValue) -> [Entity] {
    guard hasHours(state) else { return [] }
    return [
      (
        "hours", "select",
        [
          "name": "Open or closed", "stat_t": .string(topics["state"]), "cmd_t": .string(topics["set/hours"]),
          "ic": "mdi:store-clock", "ops": .strings(["auto", "open", "closed"]),
          "val_tpl": .string(
            "{{ 'auto' if not value_json.hours or value_json.hours.by != 'staff' "
              + "else 'open' if value_json.hours.state == 'open' else 'closed' }}"),
        ]
      )
    ]
  }

  /// The sleep timer: the minutes that it left when the state was published last, and the way to set it. "Behind this
  /// track" is not a number of minutes.
  static func sleep(_ topics: FleetTopics) -> [Entity] {
    let command = JSONValue.string(topics["set/sleep"])
    return [
      (
        "sleep", "number",
        [
          "name": "Sleep timer", "stat_t": .string(topics["state"]), "cmd_t": command, "ic": "mdi:timer-sand",
          "min": .integer(0), "max": .integer(1_440), "step": .integer(1), "mode": "box", "unit_of_meas": "min",
          "val_tpl":
            "{{ 'None' if value_json.sleep == 'track' else (value_json.sleep | int(0) / 60) | round(0, 'ceil') | int }}",
          "cmd_tpl": "{{ 'off' if value | int == 0 else (value | int | string) + 'min' }}",
        ]
      ),
      (
        "sleep_track", "button",
        ["name": "Sleep behind this track", "cmd_t": command, "pl_prs": "track", "ic": "mdi:music-note-off"]
      ),
    ]
  }
}
