// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy

// The default keychain and the search list. Each function is one atomic change: if two programs add a keychain to the
// list at the same time, both are added.
//
// - `processID` is the requesting process.
// - All throw `errSecNoSuchKeychain` for an invalid path, `errSecWrPerm` for a domain whose lists cannot be changed
//   here, `errSecIO` for a file of lists that cannot be read or written.
extension FileKeychains {
    func setDefault(_ path: String?, of domain: PreferencesDomain, by caller: Caller) throws(Refusal) {
        let place = try place(path)
        try changeLists(of: domain, by: caller.processID, of: caller.userID) { $0.standard = place }
    }

    func setSearchList(_ paths: [String], of domain: PreferencesDomain, by caller: Caller) throws(Refusal) {
        let places = try distinctPlaces(paths)
        try changeLists(of: domain, by: caller.processID, of: caller.userID) { $0.searched = places }
    }

    /// Adds keychains to the search list.
    ///
    /// - Throws: also `errSecParam` for a list that would be too long.
    func addToSearchList(_ paths: [String], of domain: PreferencesDomain, by caller: Caller) throws(Refusal) {
        let places = try distinctPlaces(paths)
        try changeLists(of: domain, by: caller.processID, of: caller.userID) { list throws(Refusal) in
            try list.add(places)
        }
    }

    func removeFromSearchList(_ paths: [String], of domain: PreferencesDomain, by caller: Caller) throws(Refusal) {
        let places = try distinctPlaces(paths)
        try changeLists(of: domain, by: caller.processID, of: caller.userID) { list in
            list.searched.removeAll { places.contains($0) }
        }
    }

    /// Adds a keychain to the list, and makes it the default if there is none, or if `former` is the default.
    ///
    /// - Throws: also `errSecParam` for a list that would be too long.
    func adopt(
        _ path: String, replacing former: String?, of domain: PreferencesDomain, by caller: Caller
    ) throws(Refusal) {
        let (place, former) = (try places.place(path), try place(former))
        try changeLists(of: domain, by: caller.processID, of: caller.userID) { list throws(Refusal) in
            try list.add([place])
            if list.standard == nil || list.standard == former { list.standard = place }
        }
    }

    private func place(_ path: String?) throws(Refusal) -> String? {
        guard let path else { return nil }
        return try places.place(path)
    }

    private func distinctPlaces(_ paths: [String]) throws(Refusal) -> [String] {
        var distinct: [String] = []
        for path in paths {
            let place = try places.place(path)
            if !distinct.contains(place) { distinct.append(place) }
        }
        return distinct
    }
}

extension KeychainList {
    /// Adds the paths that are not on the list at its end.
    mutating func add(_ paths: [String]) throws(Refusal) {
        let all = searched + paths.filter { !searched.contains($0) }
        guard all.count <= Self.limit else { throw Refusal(.parameter, .fullSearchList) }
        searched = all
    }
}
