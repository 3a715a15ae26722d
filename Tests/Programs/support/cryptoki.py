# SPDX-License-Identifier: Apache-2.0
"""A client of a module for PKCS #11, which calls its functions with any arguments."""

import ctypes

ULONG = ctypes.c_ulong
UNAVAILABLE = ULONG(-1).value
OK, SLOT, ARGUMENTS, CANT_LOCK = 0, 0x3, 0x7, 0xA
TYPE_INVALID, SENSITIVE, VALUE_INVALID = 0x12, 0x11, 0x13
DEVICE_REMOVED, KEY_HANDLE, MECHANISM, PARAMETER, OBJECT_HANDLE = 0x32, 0x60, 0x70, 0x71, 0x82
ACTIVE, NO_OPERATION, SESSION_HANDLE, READ_ONLY, PARALLEL = 0x90, 0x91, 0xB3, 0xB5, 0xB4
TOKEN_ABSENT, TOO_SMALL, UNINITIALIZED, INITIALIZED, REJECTED = 0xE0, 0x150, 0x190, 0x191, 0x200
CLASS, TOKEN, LABEL, VALUE, KEY_TYPE, ID, SIGN = 0, 1, 3, 0x11, 0x100, 0x102, 0x108
MODULUS, EC_PARAMS, EC_POINT = 0x120, 0x180, 0x181
PUBLIC, PRIVATE = 2, 3
ECDSA, ECDSA_SHA256, PSS, EC_PAIR = 0x1041, 0x1044, 0xD, 0x1040
SERIAL, WRITE, OS_LOCKING = 4, 2, 2
P256 = bytes.fromhex("06082a8648ce3d030107")

# In the order of the specification.
NAMES = """Initialize Finalize GetInfo GetFunctionList GetSlotList GetSlotInfo GetTokenInfo GetMechanismList GetMechanismInfo InitToken
InitPIN SetPIN OpenSession CloseSession CloseAllSessions GetSessionInfo GetOperationState SetOperationState Login Logout CreateObject
CopyObject DestroyObject GetObjectSize GetAttributeValue SetAttributeValue FindObjectsInit FindObjects FindObjectsFinal EncryptInit Encrypt
EncryptUpdate EncryptFinal DecryptInit Decrypt DecryptUpdate DecryptFinal DigestInit Digest DigestUpdate DigestKey DigestFinal SignInit Sign
SignUpdate SignFinal SignRecoverInit SignRecover VerifyInit Verify VerifyUpdate VerifyFinal VerifyRecoverInit VerifyRecover
DigestEncryptUpdate DecryptDigestUpdate SignEncryptUpdate DecryptVerifyUpdate GenerateKey GenerateKeyPair WrapKey UnwrapKey DeriveKey
SeedRandom GenerateRandom GetFunctionStatus CancelFunction WaitForSlotEvent""".split()


class Version(ctypes.Structure):
    _fields_ = [("major", ctypes.c_ubyte), ("minor", ctypes.c_ubyte)]


class Functions(ctypes.Structure):
    _fields_ = [("version", Version)] + [(name, ctypes.c_void_p) for name in NAMES]


class Attribute(ctypes.Structure):
    _fields_ = [("type", ULONG), ("value", ctypes.c_void_p), ("length", ULONG)]


class Mechanism(ctypes.Structure):
    _fields_ = [("type", ULONG), ("parameter", ctypes.c_void_p), ("length", ULONG)]


class Arguments(ctypes.Structure):
    _fields_ = [("mutex", ctypes.c_void_p * 4), ("flags", ULONG), ("reserved", ctypes.c_void_p)]


def attributes(*pairs):
    """A template. The values are bytes, numbers or truth values."""
    made = (Attribute * len(pairs))()
    made.kept = []
    for place, (kind, value) in enumerate(pairs):
        data = bytes([value]) if isinstance(value, bool) else value
        data = value.to_bytes(8, "little") if isinstance(data, int) else data
        buffer = ctypes.create_string_buffer(data, max(len(data), 1))
        made.kept.append(buffer)
        made[place] = Attribute(kind, ctypes.cast(buffer, ctypes.c_void_p), len(data))
    return made


class Module:
    """A loaded module. Its attributes are the functions of the interface; each returns the number that the function returned."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        functions = ctypes.POINTER(Functions)()
        assert self.library.C_GetFunctionList(ctypes.byref(functions)) == OK
        self.functions = functions.contents
        for name in NAMES:
            address = getattr(self.functions, name)
            assert address, name
            setattr(self, name, self._function(address))

    @staticmethod
    def _function(address):
        function = ctypes.CFUNCTYPE(ULONG)(address)
        function.argtypes = None

        def call(*arguments):
            # Numbers are CK_ULONG, which is wider than C's int.
            return function(*(ULONG(each) if isinstance(each, int) else each for each in arguments))
        return call

    def open(self, flags=SERIAL | WRITE):
        session = ULONG()
        assert self.OpenSession(0, flags, None, None, ctypes.byref(session)) == OK
        return session.value

    def find(self, session, *pairs):
        template = attributes(*pairs)
        result = self.FindObjectsInit(session, template, len(template))
        assert result == OK, hex(result)
        found, count = (ULONG * 64)(), ULONG()
        assert self.FindObjects(session, found, 64, ctypes.byref(count)) == OK
        assert self.FindObjectsFinal(session) == OK
        return list(found[:count.value])

    def value(self, session, handle, kind):
        template = (Attribute * 1)(Attribute(kind, None, 0))
        assert self.GetAttributeValue(session, handle, template, 1) == OK
        buffer = ctypes.create_string_buffer(template[0].length)
        template[0].value = ctypes.cast(buffer, ctypes.c_void_p)
        assert self.GetAttributeValue(session, handle, template, 1) == OK
        return buffer.raw

    def generate(self, session, label):
        """Makes a key on P-256. Returns the handles of the public and the private key."""
        half = attributes((EC_PARAMS, P256), (LABEL, label))
        whole = attributes((CLASS, PRIVATE), (TOKEN, True), (LABEL, label))
        public, private = ULONG(), ULONG()
        result = self.GenerateKeyPair(
            session, ctypes.byref(Mechanism(EC_PAIR, None, 0)), half, len(half), whole, len(whole), ctypes.byref(public),
            ctypes.byref(private))
        assert result == OK, hex(result)
        return public.value, private.value

    def sign(self, session, key, data=b"x" * 32, kind=ECDSA):
        """Returns the number that the last function returned, and the signature."""
        result = self.SignInit(session, ctypes.byref(Mechanism(kind, None, 0)), key)
        if result != OK:
            return result, b""
        signature, length = ctypes.create_string_buffer(512), ULONG(512)
        result = self.Sign(session, data, len(data), signature, ctypes.byref(length))
        return result, signature.raw[:length.value] if result == OK else b""

    def verify(self, session, key, signature, data=b"x" * 32, kind=ECDSA):
        result = self.VerifyInit(session, ctypes.byref(Mechanism(kind, None, 0)), key)
        return result if result != OK else self.Verify(session, data, len(data), signature, len(signature))
