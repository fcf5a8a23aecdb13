import JSON

/// The entities of a board on which requests wait their turn (F7, J7).
extension Discovery {
  private static func hasNumber(_ name: String, _ state: JSONValue) -> Bool { state[name]?.integer != nil }

  /// What waits, and the credits that are left; nothing for a board whose choices do not wait, or cost nothing.
  static func requests(_ topics: FleetTopics, _ state: JSONValue) -> [Entity] {
    let sensors = [
      ("requests_waiting", "waiting", "Requests waiting", "mdi:playlist-music"),
      ("credits", "credits", "Credits", "mdi:hand-coin"),
    ]
    return sensors.filter { hasNumber($0.1, state) }.map { name, member, title, icon in
      (
        name, "sensor",
        [
          "name": .string(title), "stat_t": .string(topics["state"]), "ic": .string(icon), "stat_cla": "measurement",
          "val_tpl": .string("{{ value_json.\(member) if value_json.\(member) is number else 'None' }}"),
        ]
      )
    }
  }

  static func requestControls(_ topics: FleetTopics, _ state: JSONValue) -> [Entity] {
    guard hasNumber("waiting", state) else { return [] }
    return [
      (
        "clear_requests", "button",
        [
          "name": "Clear requests", "cmd_t": .string(topics["set/requests"]), "pl_prs": "clear",
          "ic": "mdi:playlist-remove",
        ]
      )
    ]
  }
}
