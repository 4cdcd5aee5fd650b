// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

interface Token {
    function balanceOf(address owner) external view returns (uint256);
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// A pool of two tokens in the widespread form of version 2: constant product, a fee of 0.3 %, and its two events.
contract DevPool {
    event Sync(uint112 reserve0, uint112 reserve1);
    event Swap(
        address indexed sender,
        uint256 amount0In,
        uint256 amount1In,
        uint256 amount0Out,
        uint256 amount1Out,
        address indexed to
    );

    address public immutable token0;
    address public immutable token1;
    uint112 private reserve0;
    uint112 private reserve1;
    uint32 private changedAt;

    constructor(address one, address other) {
        (token0, token1) = one < other ? (one, other) : (other, one);
    }

    function getReserves() external view returns (uint112, uint112, uint32) {
        return (reserve0, reserve1, changedAt);
    }

    /// Takes what was transferred here as reserves.
    function sync() public {
        uint256 balance0 = Token(token0).balanceOf(address(this));
        uint256 balance1 = Token(token1).balanceOf(address(this));
        require(balance0 <= type(uint112).max && balance1 <= type(uint112).max, "too much");
        (reserve0, reserve1, changedAt) = (uint112(balance0), uint112(balance1), uint32(block.timestamp));
        emit Sync(reserve0, reserve1);
    }

    /// What was transferred here before is paid for by what leaves.
    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata) public {
        require(amount0Out > 0 || amount1Out > 0, "nothing asked");
        require(amount0Out < reserve0 && amount1Out < reserve1, "more than there is");
        if (amount0Out > 0) require(Token(token0).transfer(to, amount0Out), "token0");
        if (amount1Out > 0) require(Token(token1).transfer(to, amount1Out), "token1");
        uint256 balance0 = Token(token0).balanceOf(address(this));
        uint256 balance1 = Token(token1).balanceOf(address(this));
        uint256 in0 = balance0 > reserve0 - amount0Out ? balance0 - (reserve0 - amount0Out) : 0;
        uint256 in1 = balance1 > reserve1 - amount1Out ? balance1 - (reserve1 - amount1Out) : 0;
        require(in0 > 0 || in1 > 0, "nothing paid");
        uint256 product = (balance0 * 1000 - in0 * 3) * (balance1 * 1000 - in1 * 3);
        require(product >= uint256(reserve0) * uint256(reserve1) * 1000 ** 2, "too little paid");
        sync();
        emit Swap(msg.sender, in0, in1, amount0Out, amount1Out, to);
    }

    /// One step for people: takes `amountIn` of a token that was approved, and pays out as much of the other as it is worth.
    function swapExactIn(address tokenIn, uint256 amountIn, uint256 minOut, address to) external returns (uint256 out) {
        require(tokenIn == token0 || tokenIn == token1, "not a token of this pool");
        bool isZero = tokenIn == token0;
        (uint256 reserveIn, uint256 reserveOut) = isZero ? (reserve0, reserve1) : (reserve1, reserve0);
        require(Token(tokenIn).transferFrom(msg.sender, address(this), amountIn), "transferFrom");
        uint256 worth = amountIn * 997;
        out = (worth * reserveOut) / (reserveIn * 1000 + worth);
        require(out >= minOut, "worth less");
        (uint256 out0, uint256 out1) = isZero ? (uint256(0), out) : (out, uint256(0));
        this.swap(out0, out1, to, "");
    }
}
