// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

interface IStakedToken {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

interface IMintedToken {
    function mint(address to, uint256 value) external;
}

/// @title A staking contract of the widespread rewards form, for development chains.
/// @notice All stakers together earn `rewardRate` a second, in proportion to what they have staked. Rewards are minted when they are taken, so they never run out.
contract DevStaking {
    address public immutable stakingToken;
    address public immutable rewardsToken;
    /// Base units of the rewards token a second.
    uint256 public immutable rewardRate;

    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    uint256 public lastUpdateTime;
    /// Scaled by 1e18.
    uint256 public rewardPerTokenStored;
    mapping(address => uint256) public userRewardPerTokenPaid;
    mapping(address => uint256) public rewards;

    event Staked(address indexed user, uint256 amount);
    event Withdrawn(address indexed user, uint256 amount);
    event RewardPaid(address indexed user, uint256 reward);

    constructor(address stakingToken_, address rewardsToken_, uint256 rewardRate_) {
        stakingToken = stakingToken_;
        rewardsToken = rewardsToken_;
        rewardRate = rewardRate_;
        lastUpdateTime = block.timestamp;
    }

    modifier updateReward(address account) {
        rewardPerTokenStored = rewardPerToken();
        lastUpdateTime = block.timestamp;
        rewards[account] = earned(account);
        userRewardPerTokenPaid[account] = rewardPerTokenStored;
        _;
    }

    function rewardPerToken() public view returns (uint256) {
        if (totalSupply == 0) return rewardPerTokenStored;
        return rewardPerTokenStored + ((block.timestamp - lastUpdateTime) * rewardRate * 1e18) / totalSupply;
    }

    function earned(address account) public view returns (uint256) {
        return (balanceOf[account] * (rewardPerToken() - userRewardPerTokenPaid[account])) / 1e18 + rewards[account];
    }

    function stake(uint256 amount) external updateReward(msg.sender) {
        require(amount > 0, "Cannot stake 0");
        totalSupply += amount;
        balanceOf[msg.sender] += amount;
        require(IStakedToken(stakingToken).transferFrom(msg.sender, address(this), amount), "Cannot take the token");
        emit Staked(msg.sender, amount);
    }

    function withdraw(uint256 amount) public updateReward(msg.sender) {
        require(amount > 0, "Cannot withdraw 0");
        require(balanceOf[msg.sender] >= amount, "Cannot withdraw more than staked");
        totalSupply -= amount;
        balanceOf[msg.sender] -= amount;
        require(IStakedToken(stakingToken).transfer(msg.sender, amount), "Cannot return the token");
        emit Withdrawn(msg.sender, amount);
    }

    function getReward() public updateReward(msg.sender) {
        uint256 reward = rewards[msg.sender];
        if (reward == 0) return;
        rewards[msg.sender] = 0;
        IMintedToken(rewardsToken).mint(msg.sender, reward);
        emit RewardPaid(msg.sender, reward);
    }

    function exit() external {
        withdraw(balanceOf[msg.sender]);
        getReward();
    }
}
