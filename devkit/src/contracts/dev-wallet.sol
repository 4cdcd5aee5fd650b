// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// @title A contract wallet with one owner, for development chains: signatures by EIP-1271.
contract DevWallet {
    bytes4 private constant VALID = 0x1626ba7e;
    /// Above it a signature has a twin (EIP-2).
    uint256 private constant HALF_ORDER = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;

    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    receive() external payable {}

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (signature.length != 65) return 0xffffffff;
        bytes32 s = bytes32(signature[32:64]);
        if (uint256(s) > HALF_ORDER) return 0xffffffff;
        address signer = ecrecover(hash, uint8(signature[64]), bytes32(signature[:32]), s);
        return signer != address(0) && signer == owner ? VALID : bytes4(0xffffffff);
    }

    /// Calls as the wallet; reverts with what the call reverts with.
    function execute(address to, uint256 value, bytes calldata data) external returns (bytes memory) {
        require(msg.sender == owner, "only the owner");
        (bool done, bytes memory result) = to.call{value: value}(data);
        if (!done) {
            assembly {
                revert(add(result, 0x20), mload(result))
            }
        }
        return result;
    }
}

/// @title Makes wallets at addresses that are known beforehand, as EIP-6492 needs it.
contract DevWalletFactory {
    event Created(address indexed wallet, address indexed owner);

    /// The wallet, new or as it was.
    function create(address owner, bytes32 salt) external returns (address wallet) {
        wallet = addressOf(owner, salt);
        if (wallet.code.length > 0) return wallet;
        new DevWallet{salt: salt}(owner);
        emit Created(wallet, owner);
    }

    function addressOf(address owner, bytes32 salt) public view returns (address) {
        bytes32 code = keccak256(abi.encodePacked(type(DevWallet).creationCode, abi.encode(owner)));
        return address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, code)))));
    }
}
