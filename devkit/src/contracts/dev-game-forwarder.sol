// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Gives dispute games the function by which present clients ask for their block. It has no storage: it runs the game's code on whatever calls it, with the calldata unchanged but for the
/// four bytes of that one selector; clones append their arguments to the calldata.
contract DevGameForwarder {
    address private immutable game;

    constructor(address game_) {
        game = game_;
    }

    fallback() external payable {
        forward();
    }

    receive() external payable {
        forward();
    }

    function forward() private {
        address target = game;
        bytes4 asked = bytes4(keccak256("l2SequenceNumber()"));
        bytes4 answered = bytes4(keccak256("l2BlockNumber()"));
        assembly {
            calldatacopy(0, 0, calldatasize())
            if and(gt(calldatasize(), 3), eq(shr(224, calldataload(0)), shr(224, asked))) {
                let rest := shr(32, shl(32, mload(0)))
                mstore(0, or(answered, rest))
            }
            let done := delegatecall(gas(), target, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(done) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}
