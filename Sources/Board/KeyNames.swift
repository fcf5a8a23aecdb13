/// The kernel's names of keys and buttons (`KEY_…` and `BTN_…` of `linux/input-event-codes.h`), as `InputCode.name` has
/// them. A key that a later kernel adds is named by its number.
enum KeyNames {
  /// The highest number that a key can have (`KEY_MAX`); 0 is none.
  static let highest: UInt16 = 0x2ff

  static let byNumber: [UInt16: String] = {
    var names: [UInt16: String] = [:]
    for (first, row) in rows {
      for (index, name) in row.split(separator: " ").enumerated() { names[first + UInt16(index)] = String(name) }
    }
    return names
  }()

  /// With those that are called by two names, and those of the first of a group.
  static let numbers: [String: UInt16] = {
    var numbers: [String: UInt16] = [:]
    for (number, name) in byNumber { numbers[name] = number }
    for (name, number) in others { numbers[name] = number }
    return numbers
  }()

  private static let others: [(name: String, number: UInt16)] = [
    ("hanguel", 122), ("screenlock", 152), ("direction", 153), ("dashboard", 204), ("brightness-zero", 244),
    ("wimax", 246), ("btn-misc", 0x100), ("btn-mouse", 0x110), ("btn-joystick", 0x120), ("btn-gamepad", 0x130),
    ("btn-a", 0x130), ("btn-b", 0x131), ("btn-x", 0x133), ("btn-y", 0x134), ("btn-digi", 0x140),
    ("btn-wheel", 0x150), ("zoom", 0x174), ("screen", 0x177), ("brightness-toggle", 0x1af),
    ("btn-trigger-happy", 0x2c0),
  ]

  /// Keys whose numbers follow each other, from the first number on.
  private static let rows: [(first: UInt16, names: String)] = [
    (1, "esc 1 2 3 4 5 6 7 8 9 0 minus equal backspace tab q w e r t y u i o p leftbrace rightbrace enter"),
    (29, "leftctrl a s d f g h j k l semicolon apostrophe grave leftshift backslash z x c v b n m comma dot"),
    (53, "slash rightshift kpasterisk leftalt space capslock f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 numlock"),
    (70, "scrolllock kp7 kp8 kp9 kpminus kp4 kp5 kp6 kpplus kp1 kp2 kp3 kp0 kpdot"),
    (85, "zenkakuhankaku 102nd f11 f12 ro katakana hiragana henkan katakanahiragana muhenkan kpjpcomma"),
    (96, "kpenter rightctrl kpslash sysrq rightalt linefeed home up pageup left right end down pagedown"),
    (110, "insert delete macro mute volumedown volumeup power kpequal kpplusminus pause scale kpcomma hangeul"),
    (123, "hanja yen leftmeta rightmeta compose stop again props undo front copy open paste find cut help"),
    (139, "menu calc setup sleep wakeup file sendfile deletefile xfer prog1 prog2 www msdos coffee"),
    (153, "rotate-display cyclewindows mail bookmarks computer back forward closecd ejectcd ejectclosecd"),
    (163, "nextsong playpause previoussong stopcd record rewind phone iso config homepage refresh exit move"),
    (176, "edit scrollup scrolldown kpleftparen kprightparen new redo f13 f14 f15 f16 f17 f18 f19 f20 f21 f22"),
    (193, "f23 f24"),
    (200, "playcd pausecd prog3 prog4 all-applications suspend close play fastforward bassboost print hp"),
    (212, "camera sound question email chat search connect finance sport shop alterase cancel brightnessdown"),
    (225, "brightnessup media switchvideomode kbdillumtoggle kbdillumdown kbdillumup send reply forwardmail"),
    (234, "save documents battery bluetooth wlan uwb unknown video-next video-prev brightness-cycle"),
    (244, "brightness-auto display-off wwan rfkill micmute"),
    (0x100, "btn-0 btn-1 btn-2 btn-3 btn-4 btn-5 btn-6 btn-7 btn-8 btn-9"),
    (0x110, "btn-left btn-right btn-middle btn-side btn-extra btn-forward btn-back btn-task"),
    (0x120, "btn-trigger btn-thumb btn-thumb2 btn-top btn-top2 btn-pinkie btn-base btn-base2 btn-base3"),
    (0x129, "btn-base4 btn-base5 btn-base6"),
    (0x12f, "btn-dead btn-south btn-east btn-c btn-north btn-west btn-z btn-tl btn-tr btn-tl2 btn-tr2"),
    (0x13a, "btn-select btn-start btn-mode btn-thumbl btn-thumbr"),
    (0x140, "btn-tool-pen btn-tool-rubber btn-tool-brush btn-tool-pencil btn-tool-airbrush btn-tool-finger"),
    (0x146, "btn-tool-mouse btn-tool-lens btn-tool-quinttap btn-stylus3 btn-touch btn-stylus btn-stylus2"),
    (0x14d, "btn-tool-doubletap btn-tool-tripletap btn-tool-quadtap btn-gear-down btn-gear-up"),
    (0x160, "ok select goto clear power2 option info time vendor archive program channel favorites epg pvr mhp"),
    (0x170, "language title subtitle angle full-screen mode keyboard aspect-ratio pc tv tv2 vcr vcr2 sat sat2"),
    (0x17f, "cd tape radio tuner player text dvd aux mp3 audio video directory list memo calendar red green"),
    (0x190, "yellow blue channelup channeldown first last ab next restart slow shuffle break previous digits"),
    (0x19e, "teen twen videophone games zoomin zoomout zoomreset wordprocessor editor spreadsheet"),
    (0x1a8, "graphicseditor presentation database news voicemail addressbook messenger displaytoggle spellcheck"),
    (0x1b1, "logoff dollar euro frameback frameforward context-menu media-repeat 10channelsup 10channelsdown"),
    (0x1ba, "images"),
    (0x1bc, "notification-center pickup-phone hangup-phone link-phone del-eol del-eos ins-line del-line"),
    (0x1d0, "fn fn-esc fn-f1 fn-f2 fn-f3 fn-f4 fn-f5 fn-f6 fn-f7 fn-f8 fn-f9 fn-f10 fn-f11 fn-f12 fn-1 fn-2"),
    (0x1e0, "fn-d fn-e fn-f fn-s fn-b fn-right-shift"),
    (0x1f1, "brl-dot1 brl-dot2 brl-dot3 brl-dot4 brl-dot5 brl-dot6 brl-dot7 brl-dot8 brl-dot9 brl-dot10"),
    (0x200, "numeric-0 numeric-1 numeric-2 numeric-3 numeric-4 numeric-5 numeric-6 numeric-7 numeric-8"),
    (0x209, "numeric-9 numeric-star numeric-pound numeric-a numeric-b numeric-c numeric-d camera-focus"),
    (0x211, "wps-button touchpad-toggle touchpad-on touchpad-off camera-zoomin camera-zoomout camera-up"),
    (0x218, "camera-down camera-left camera-right attendant-on attendant-off attendant-toggle lights-toggle"),
    (0x220, "btn-dpad-up btn-dpad-down btn-dpad-left btn-dpad-right btn-gripl btn-gripr btn-gripl2 btn-gripr2"),
    (0x230, "als-toggle rotate-lock-toggle refresh-rate-toggle"),
    (0x240, "buttonconfig taskmanager journal controlpanel appselect screensaver voicecommand assistant"),
    (0x248, "kbd-layout-next emoji-picker dictate"),
    (0x24b, "camera-access-enable camera-access-disable camera-access-toggle accessibility do-not-disturb"),
    (0x250, "brightness-min brightness-max eprivacy-screen-on eprivacy-screen-off"),
    (0x260, "kbdinputassist-prev kbdinputassist-next kbdinputassist-prevgroup kbdinputassist-nextgroup"),
    (0x264, "kbdinputassist-accept kbdinputassist-cancel right-up right-down left-up left-down root-menu"),
    (0x26b, "media-top-menu numeric-11 numeric-12 audio-desc 3d-mode next-favorite stop-record pause-record vod"),
    (0x274, "unmute fastreverse slowreverse data onscreen-keyboard privacy-screen-toggle selective-screenshot"),
    (0x27b, "next-element previous-element autopilot-engage-toggle mark-waypoint sos nav-chart fishing-chart"),
    (0x282, "single-range-radar dual-range-radar radar-overlay traditional-sonar clearvu-sonar sidevu-sonar"),
    (0x288, "nav-info brightness-menu"),
    (0x290, "macro1 macro2 macro3 macro4 macro5 macro6 macro7 macro8 macro9 macro10 macro11 macro12 macro13"),
    (0x29d, "macro14 macro15 macro16 macro17 macro18 macro19 macro20 macro21 macro22 macro23 macro24 macro25"),
    (0x2a9, "macro26 macro27 macro28 macro29 macro30"),
    (0x2b0, "macro-record-start macro-record-stop macro-preset-cycle macro-preset1 macro-preset2 macro-preset3"),
    (0x2b8, "kbd-lcd-menu1 kbd-lcd-menu2 kbd-lcd-menu3 kbd-lcd-menu4 kbd-lcd-menu5"),
    (0x2c0, "btn-trigger-happy1 btn-trigger-happy2 btn-trigger-happy3 btn-trigger-happy4 btn-trigger-happy5"),
    (0x2c5, "btn-trigger-happy6 btn-trigger-happy7 btn-trigger-happy8 btn-trigger-happy9 btn-trigger-happy10"),
    (0x2ca, "btn-trigger-happy11 btn-trigger-happy12 btn-trigger-happy13 btn-trigger-happy14"),
    (0x2ce, "btn-trigger-happy15 btn-trigger-happy16 btn-trigger-happy17 btn-trigger-happy18"),
    (0x2d2, "btn-trigger-happy19 btn-trigger-happy20 btn-trigger-happy21 btn-trigger-happy22"),
    (0x2d6, "btn-trigger-happy23 btn-trigger-happy24 btn-trigger-happy25 btn-trigger-happy26"),
    (0x2da, "btn-trigger-happy27 btn-trigger-happy28 btn-trigger-happy29 btn-trigger-happy30"),
    (0x2de, "btn-trigger-happy31 btn-trigger-happy32 btn-trigger-happy33 btn-trigger-happy34"),
    (0x2e2, "btn-trigger-happy35 btn-trigger-happy36 btn-trigger-happy37 btn-trigger-happy38"),
    (0x2e6, "btn-trigger-happy39 btn-trigger-happy40"),
  ]
}
