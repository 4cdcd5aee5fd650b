// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// The examples' contract: a number that anybody may raise.
contract Counter {
    uint256 public number;

    event Raised(address indexed by, uint256 number);

    constructor(uint256 first) {
        number = first;
    }

    function increment() external {
        number += 1;
        emit Raised(msg.sender, number);
    }
}
